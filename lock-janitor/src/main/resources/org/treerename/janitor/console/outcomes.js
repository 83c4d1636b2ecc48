// The renames that have ended, with their outcomes.

import { Pager, at, badge, byId, foreign, fromTo, list, request, row, setText, titles } from './draw.js';
import { between, count, paths } from './words.js';

const KINDS = { completed: 'good', rejected: 'warn', failed: 'bad', cancelled: 'quiet', abandoned: 'bad' };

export function statusBadge(rename) {
  const status = rename.outcome?.status ?? (rename.directories ? 'released' : rename.state);
  return badge(status, KINDS[status] ?? 'quiet');
}

export function outcomes(page) {
  const section = byId('outcomes');
  const form = byId('outcomes-filter');
  const names = titles(section);
  const pager = new Pager(section.querySelector('.pager'), page.refresh);
  let query = {};

  function filter() {
    query = {
      text: form.text.value, status: form.status.value, namespace: form.namespace.value.trim(),
    };
  }

  filter();
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    filter();
    pager.reset();
    page.refresh();
  });

  function outcomeText(rename) {
    const outcome = rename.outcome ?? {};
    const reason = outcome.reason ? `${outcome.reason}: ` : '';
    return foreign(`${reason}${outcome.message ?? ''}`);
  }

  return {
    question: () => ['outcomes', { ...query, after: pager.place }],

    draw(answer) {
      const more = answer.next ? ' on this page; the next page may have some' : '';
      setText(section.querySelector('[data-note]'), answer.renames.length === 0 ? `No renames found${more}.` : '');
      list(section.querySelector('tbody'), answer.renames, (rename) => rename.request_id, (rename) => row(names,
        request(rename.request_id), fromTo(paths(rename)), statusBadge(rename), outcomeText(rename),
        count(rename.moved), at(rename.finished_at), between(rename.requested_at, rename.finished_at)));
      pager.show(answer.next);
    },
  };
}
