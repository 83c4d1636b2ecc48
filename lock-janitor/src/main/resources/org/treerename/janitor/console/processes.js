// Workers, janitors and writers, and their heartbeats as this janitor observes them.

import { hasToken } from './ask.js';
import { at, badge, button, byId, foreign, list, make, row, setText, titles } from './draw.js';
import { count, counted, length } from './words.js';

const KINDS = { beating: 'good', unsure: 'quiet', silent: 'bad', ended: 'quiet' };

function heartbeat(process) {
  if (process.sign === 'ended') {
    return '';
  }
  const lease = process.lease_seconds;
  const still = Math.min(process.still_seconds, lease);
  return [
    make('meter', {
      min: 0, max: lease, low: lease / 2, high: lease * 0.9, optimum: 0, value: still,
      'aria-label': 'time since the last heartbeat, as a part of the lease',
    }),
    make('span', { class: 'small' },
      `number ${count(process.heartbeat)}, ${length(process.still_seconds)} ago, lease ${length(lease)}`),
  ];
}

/** Returns whether the workers are paused, and the button that begins or ends the pause. */
function workers(page, now) {
  const act = () => (now.pause
    ? page.act('unpause', { since: now.pause_since }, 'End the pause?',
      `The workers are ${now.pause}. After the pause they begin new renames again.`)
    : page.act('pause', {}, 'Pause all workers?',
      'The workers finish the renames that they have begun. They begin no new rename until a person ends the pause.'));
  return make('li', {},
    badge(now.pause ? 'paused' : 'not paused', now.pause ? 'warn' : 'good'), ' ',
    now.pause ? foreign(`The workers are ${now.pause}.`) : 'The workers begin new renames.', ' ',
    now.token ? button(now.pause ? 'End the pause' : 'Pause the workers', act, { 'data-focus': 'pause' }) : '');
}

export function processes(page) {
  const section = byId('processes');
  const names = titles(section);

  function fencing(process) {
    return hasToken() && process.state === 'live'
      ? button('Fence', () => page.act('fence', { process_id: process.process_id },
        'Fence this process?', `This ends ${process.process_id} for good. The janitors take over its ${
          counted(process.renames, 'rename')}.`), { class: 'danger' })
      : '';
  }

  return {
    question: () => ['now', {}],

    draw(answer) {
      const { pause, pause_since } = answer;
      list(section.querySelector('.workers'), [{ pause, pause_since, token: hasToken() }], () => 'workers',
        (now) => workers(page, now));
      setText(section.querySelector('[data-note]'), answer.processes_found > answer.processes.length
        ? `${counted(answer.processes_found, 'process', 'processes')}; the first ${count(answer.processes.length)} are shown.`
        : 'This janitor measures the age of each heartbeat with its own clock, from the time at which it first observed that heartbeat.');
      list(section.querySelector('tbody'), answer.processes.map((process) => ({ ...process, token: hasToken() })),
        (process) => process.process_id, (process) => row(names,
          foreign(process.process_id), [process.service, ' on ', foreign(process.host)],
          [badge(process.state, process.state === 'live' ? 'good' : 'quiet'), ' ',
            process.sign === 'ended' ? '' : badge(process.sign, KINDS[process.sign])],
          heartbeat(process), count(process.renames), at(process.started_at), fencing(process)));
    },
  };
}
