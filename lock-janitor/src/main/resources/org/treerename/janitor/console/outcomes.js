// What has ended, and how.

import { Pager, at, badge, byId, foreign, list, request, row, tell, titles, way } from './draw.js';
import { between, count, ends } from './words.js';

const KINDS = { completed: 'good', rejected: 'warn', failed: 'bad', cancelled: 'quiet' };

export function outcomes(page) {
  const section = byId('outcomes');
  const form = byId('outcomes-filter');
  const names = titles(section);
  const pager = new Pager(section.querySelector('.pager'), page.again);
  let asked = {};

  function filter() {
    asked = {
      text: form.text.value, status: form.status.value, namespace: form.namespace.value.trim(),
    };
  }

  filter();
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    filter();
    pager.reset();
    page.again();
  });

  function told(rename) {
    const outcome = rename.outcome ?? {};
    const reason = outcome.reason ? `${outcome.reason}: ` : '';
    return foreign(`${reason}${outcome.message ?? ''}`);
  }

  return {
    question: () => ['outcomes', { ...asked, after: pager.place }],

    draw(answer) {
      const more = answer.next ? ' On this page; the next one may have some.' : '';
      tell(section.querySelector('[data-note]'), answer.renames.length === 0 ? `Nothing is found.${more}` : '');
      list(section.querySelector('tbody'), answer.renames, (rename) => rename.request_id, (rename) => {
        const status = rename.outcome?.status ?? (rename.directories ? 'given back' : rename.state);
        return row(names, request(rename), way(ends(rename)), badge(status, KINDS[status] ?? 'quiet'), told(rename),
          count(rename.moved), at(rename.finished_at), between(rename.requested_at, rename.finished_at));
      });
      pager.show(answer.next);
    },
  };
}
