// Dead letters: records that no outcome can answer, or whose request would fail again.

import { hasToken } from './ask.js';
import {
  at, button, byId, foreign, list, make, request, row, setText, titles, whole,
} from './draw.js';

export function letters(page) {
  const section = byId('dead-letters');
  const names = titles(section);

  function replaying(letter) {
    return hasToken()
      ? button('Replay', () => page.act('replay', { place: letter.place }, 'Send this request again?',
        `The request of dead letter ${letter.place} is sent again under a new id.`))
      : '';
  }

  return {
    question: () => ['dead-letters', {}],

    draw(answer) {
      setText(section.querySelector('[data-note]'), answer.letters.length === 0 ? 'There are no dead letters.' : '');
      list(section.querySelector('tbody'), answer.letters.map((letter) => ({ ...letter, token: hasToken() })),
        (letter) => letter.place, (letter) => row(names,
          letter.place, at(letter.at), letter.request_id ? request(letter.request_id) : 'no usable id',
          [foreign(letter.reason), letter.message ? ': ' : '', letter.message ? foreign(letter.message) : ''],
          make('details', {}, make('summary', { 'data-focus': 'record' }, 'Record'), make('pre', {}, whole(letter.text))),
          replaying(letter)));
    },
  };
}
