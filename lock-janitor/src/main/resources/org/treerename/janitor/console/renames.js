// The renames under way: progress, rate, and the last refusal of a lock.

import { hasToken } from './ask.js';
import {
  Pager, at, badge, button, byId, foreign, fromTo, list, make, request, row, setText, titles,
} from './draw.js';
import { count, counted, length, paths } from './words.js';

/** How long to wait after the last key before the query is sent, so that an incomplete word causes no query. */
const TYPED_MILLIS = 400;
const KINDS = { moving: 'good', parked: 'bad', prepared: 'quiet', retry: 'quiet', done: 'good', held: 'quiet' };

export function stateBadge(state) {
  return badge(state, KINDS[state] ?? '');
}

export function progress(rename) {
  if (rename.state === 'parked') {
    return [foreign(rename.parked ?? 'parked', 'foreign refusal')];
  }
  if (rename.state !== 'moving' && rename.state !== 'done') {
    return [waiting(rename)];
  }
  const most = Math.max(rename.expected, rename.moved, 1);
  const parts = [`${count(rename.moved)} of ${counted(rename.expected, 'document')}`];
  if (rename.documents_per_second) {
    parts.push(`${count(Math.round(rename.documents_per_second))} per second`);
  }
  if (rename.seconds_left !== null && rename.seconds_left !== undefined && rename.state === 'moving') {
    parts.push(`about ${length(rename.seconds_left)} left`);
  }
  return [
    make('progress', { max: most, value: Math.min(rename.moved, most), 'aria-label': `progress of ${rename.request_id}` }),
    make('span', { class: 'small' }, parts.join(' · ')),
  ];
}

function waiting(rename) {
  return rename.refusal
    ? make('span', { class: 'small' }, `refused ${count(rename.refusals)} times: `, foreign(rename.refusal))
    : make('span', { class: 'small' }, rename.state === 'held' ? '' : 'waiting');
}

export function owner(rename) {
  return [foreign(rename.process_id), ' ', badge(rename.process_state, rename.process_state === 'live' ? 'good' : 'bad')];
}

/** Returns the button of the action that a person with a token may execute for a rename; an empty text if there is none. */
export function action(page, rename) {
  if (!hasToken() || rename.directories) {
    return '';
  }
  const body = { request_id: rename.request_id };
  if (rename.state === 'parked') {
    const parked = `${rename.request_id} is parked: ${rename.parked ?? 'no reason'}.`;
    return make('span', {},
      button('Retry', () => page.act('retry-parked', body, 'Retry this rename now?', `${parked} Correct the cause first.`)), ' ',
      button('Abandon', () => page.act('abandon', body, 'Abandon this rename?',
        `${parked} The documents that were not moved stay at the source. The rename cannot be continued or undone afterwards.`),
      { class: 'danger' }));
  }
  return rename.state === 'prepared' || rename.state === 'retry'
    ? button('Cancel', () => page.act('cancel', body, 'Cancel this rename?', rename.request_id), { class: 'danger' })
    : '';
}

export function renames(page) {
  const section = byId('renames');
  const form = byId('renames-filter');
  const names = titles(section);
  const pager = new Pager(section.querySelector('.pager'), page.refresh);
  let typing = 0;
  let query = { phase: form.phase.value };
  form.addEventListener('input', () => {
    clearTimeout(typing);
    typing = setTimeout(() => {
      query = { phase: form.phase.value, namespace: form.namespace.value.trim() };
      pager.reset();
      page.refresh();
    }, TYPED_MILLIS);
  });
  form.addEventListener('submit', (event) => event.preventDefault());

  return {
    question: () => ['renames', { ...query, after: pager.place }],

    draw(answer) {
      setText(section.querySelector('[data-note]'), answer.renames.length === 0 ? 'No renames are under way.' : '');
      list(section.querySelector('tbody'), answer.renames.map((rename) => ({ ...rename, token: hasToken() })),
        (rename) => rename.request_id, (rename) => row(names,
          request(rename.request_id), fromTo(paths(rename)), stateBadge(rename.state), progress(rename), owner(rename),
          at(rename.requested_at), action(page, rename)));
      pager.show(answer.next);
    },
  };
}
