// Renames that another process carries, or has ended, than the one that committed them.

import { byId, foreign, list, make, request, tell, way } from './draw.js';
import { stateBadge } from './renames.js';
import { count, ends, printable } from './words.js';

export function takeOvers() {
  const section = byId('take-overs');
  return {
    question: () => ['take-overs', {}],

    draw(answer) {
      tell(section.querySelector('[data-note]'), answer.renames.length === 0
        ? `None is among what is under way and the last ${count(answer.looked_at)} that ended.`
        : `Among what is under way and the last ${count(answer.looked_at)} that ended.`);
      list(section.querySelector('ol'), answer.renames, (rename) => rename.request_id, (rename) => make('li', {},
        make('h3', {}, request(rename), ' ', stateBadge(rename.state)),
        make('p', {}, ...way(ends(rename)), ' in ', foreign(rename.namespace ?? '')),
        make('p', { class: 'story' }, printable(rename.story))));
    },
  };
}
