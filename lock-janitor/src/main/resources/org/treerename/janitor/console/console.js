// The console: one section is shown and asked for at a time, as long as somebody looks at the page.

import { NoAnswer, act, ask, hasToken, useToken } from './ask.js';
import { audit } from './audit.js';
import { badge, byId, confirmed, list, make, tell } from './draw.js';
import { letters } from './letters.js';
import { locks } from './locks.js';
import { outcomes } from './outcomes.js';
import { processes } from './processes.js';
import { renames } from './renames.js';
import { takeOvers } from './takeovers.js';
import { count, counted, moment, printable } from './words.js';

const PAUSE_MILLIS = 2_000;
const STATES = ['prepared', 'retry', 'moving', 'parked', 'held', 'done'];

const page = { again, act: doing, failed };
const sections = {
  renames: renames(page),
  processes: processes(page),
  locks: locks(page),
  outcomes: outcomes(page),
  'take-overs': takeOvers(page),
  'dead-letters': letters(page),
  audit: audit(page),
};

let shown = '';
let timer = 0;
let asking = new AbortController();
let seen = null;

function chosen() {
  const name = location.hash.replace(/^#\//, '');
  return Object.hasOwn(sections, name) ? name : 'renames';
}

function route() {
  if (location.hash && !location.hash.startsWith('#/')) {
    return; // a place in the page
  }
  shown = chosen();
  for (const name of Object.keys(sections)) {
    byId(name).hidden = name !== shown;
  }
  for (const link of document.querySelectorAll('nav a')) {
    if (link.hash === `#/${shown}`) {
      link.setAttribute('aria-current', 'page');
    } else {
      link.removeAttribute('aria-current');
    }
  }
  report('');
  document.title = `${byId(shown).querySelector('h2').textContent} · tree rename`;
  again();
}

/** Asks at once, whatever is under way. */
function again() {
  clearTimeout(timer);
  asking.abort();
  asking = new AbortController();
  look(asking.signal);
}

async function look(signal) {
  try {
    const [name, parameters] = sections[shown].question();
    const [now, told] = await Promise.all([
      ask('now', {}, signal),
      name === 'now' ? null : ask(name, parameters, signal),
    ]);
    if (signal.aborted) {
      return;
    }
    if (now.answer) {
      tellNow(now.answer);
    }
    const answer = name === 'now' ? now : told;
    const content = Object.hasOwn(answer, 'answer') ? answer.answer : answer;
    if (content) {
      sections[shown].draw(content);
    }
    const problem = now.problem ?? answer.problem;
    show(problem && Object.hasOwn(answer, 'answer') ? `What is shown may be old: ${problem}.` : '');
    tell(byId('as-of'), now.at ? `as of ${moment(now.at)}` : 'no answer yet');
  } catch (failure) {
    if (signal.aborted) {
      return;
    }
    failed(failure);
  }
  if (!signal.aborted && document.visibilityState === 'visible') {
    timer = setTimeout(() => look(signal), PAUSE_MILLIS);
  }
}

function failed(failure) {
  if (!(failure instanceof NoAnswer) && failure.name !== 'TimeoutError') {
    console.error(failure);
  }
  show(failure instanceof NoAnswer ? failure.message : 'There is no answer; it is asked again.');
}

function show(problem) {
  const place = byId('problem');
  place.hidden = !problem;
  tell(place, problem ? printable(problem) : '');
}

/** What became of something that was done; it stays until something else is done, or looked at. */
function report(words) {
  const place = byId('done');
  place.hidden = !words;
  tell(place, printable(words));
}

/** The counts at the top, and in words what has changed in a way that somebody should hear of. */
function tellNow(now) {
  list(byId('counts'), STATES.filter((state) => now.states[state] > 0 || state === 'moving')
    .map((state) => ({ state, number: now.states[state] })),
  ({ state }) => state,
  ({ state, number }) => make('li', {}, badge(count(number), state === 'parked' ? 'bad' : ''), ` ${state}`));
  const pause = byId('pause');
  pause.hidden = !now.pause;
  tell(pause, now.pause ? printable(`Workers are ${now.pause}: nothing new begins.`) : '');
  const next = {
    parked: now.states.parked,
    signs: new Map(now.processes.map((process) => [process.process_id, process.sign])),
  };
  if (seen) {
    const news = [];
    for (const [id, sign] of next.signs) {
      const before = seen.signs.get(id);
      if (sign !== before && (sign === 'silent' || (sign === 'ended' && before) || !before)) {
        news.push(`${id} ${before ? `is ${sign}` : 'is new'}`);
      }
    }
    if (next.parked > seen.parked) {
      news.push(`${counted(next.parked, 'rename')} parked`);
    }
    if (news.length > 0) {
      tell(byId('news'), printable(news.slice(0, 5).join('. ')));
    }
  }
  seen = next;
}

/** Does something, where somebody means it, and tells what became of it. */
async function doing(name, body, title, words) {
  if (!await confirmed(title, words)) {
    return;
  }
  try {
    report((await act(name, body)).words);
  } catch (failure) {
    report(failure instanceof NoAnswer ? failure.message : 'There was no answer: whether it is done is not known.');
  }
  again();
}

function tokens() {
  const dialog = byId('token-dialog');
  byId('token-button').addEventListener('click', () => {
    if (hasToken()) {
      useToken(null);
      delete document.body.dataset.token;
      tell(byId('token-button'), 'Enter a token');
      again();
    } else {
      dialog.showModal();
      byId('token').focus();
    }
  });
  byId('token-cancel').addEventListener('click', () => dialog.close());
  byId('token-form').addEventListener('submit', (event) => {
    event.preventDefault();
    useToken(byId('token').value.trim());
    document.body.dataset.token = '';
    dialog.close();
    tell(byId('token-button'), 'Forget the token');
    again();
  });
  dialog.addEventListener('close', () => {
    byId('token').value = '';
  });
}

tokens();
window.addEventListener('hashchange', route);
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') {
    again();
  } else {
    clearTimeout(timer);
  }
});
route();
