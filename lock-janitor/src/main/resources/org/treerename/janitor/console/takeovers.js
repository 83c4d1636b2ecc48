// Take-overs: renames whose owner is not the process that committed them.

import { byId, foreign, fromTo, list, make, request, setText } from './draw.js';
import { stateBadge } from './renames.js';
import { count, paths, printable } from './words.js';

export function takeOvers() {
  const section = byId('take-overs');
  return {
    question: () => ['take-overs', {}],

    draw(answer) {
      setText(section.querySelector('[data-note]'), answer.renames.length === 0
        ? `No take-overs among the renames under way and the last ${count(answer.looked_at)} that ended.`
        : `Take-overs among the renames under way and the last ${count(answer.looked_at)} that ended.`);
      list(section.querySelector('ol'), answer.renames, (rename) => rename.request_id, (rename) => make('li', {},
        make('h3', {}, request(rename.request_id), ' ', stateBadge(rename.state)),
        make('p', {}, ...fromTo(paths(rename)), ' in ', foreign(rename.namespace ?? '')),
        make('p', { class: 'story' }, printable(rename.story))));
    },
  };
}
