// One request: its state and all that the journal knows. Its link has the form #request=ID.

import { hasToken } from './ask.js';
import { byId, list, make, request, setText, whole } from './draw.js';
import { statusBadge } from './outcomes.js';
import { action, progress, stateBadge } from './renames.js';
import { printable } from './words.js';

const OPEN = ['prepared', 'retry', 'held', 'moving', 'parked', 'done'];

function fields(rename) {
  const outcome = rename.outcome ?? {};
  return [
    ['namespace', rename.namespace], ['source', rename.source], ['destination', rename.destination],
    ['directories', rename.directories?.join('\n')], ['requested by', rename.requested_by],
    ['requested at', rename.requested_at], ['committed at', rename.committed_at], ['finished at', rename.finished_at],
    ['owner', `${rename.process_id} (${rename.process_state})`], ['epoch', rename.epoch],
    ['moved', `${rename.moved} of ${rename.expected}`], ['passes', rename.passes],
    ['refused', rename.refusals ? `${rename.refusals} times` : ''], ['refused by', rename.refused_by],
    ['refusal', rename.refusal], ['parked', rename.parked], ['status', outcome.status], ['reason', outcome.reason],
    ['message', outcome.message], ['take-over', rename.story],
  ].filter(([, value]) => value !== null && value !== undefined && value !== '');
}

function field([name, value]) {
  return make('div', {}, make('dt', {}, name), make('dd', {}, name === 'refused by' ? request(value) : whole(value)));
}

export function oneRequest(page) {
  const section = byId('request');
  let id = '';

  function draw(rename, missing) {
    setText(section.querySelector('[data-note]'), missing);
    const shown = rename ? [{ ...rename, token: hasToken() }] : [];
    list(section.querySelector('.state'), shown, (one) => one.request_id, (one) => make('li', {},
      stateBadge(one.state), ' ', ...(OPEN.includes(one.state) ? progress(one) : [statusBadge(one)]), ' ', action(page, one)));
    list(section.querySelector('dl'), rename ? fields(rename) : [], ([name]) => name, field);
  }

  return {
    /** Shows another request. */
    open(requestId) {
      if (requestId !== id) {
        id = requestId;
        draw(null, 'Reading …');
      }
      setText(section.querySelector('[data-id]'), printable(id));
    },

    question: () => ['request', { id }],

    draw(answer) {
      draw(answer.rename, answer.missing ? `Request not found: ${printable(answer.missing)}.` : '');
    },
  };
}
