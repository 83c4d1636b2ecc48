// The console. It shows one section at a time, and requests its data while the page is visible.

import { activity } from './activity.js';
import { NoAnswer, act, ask, hasToken, useToken } from './ask.js';
import { audit } from './audit.js';
import { badge, byId, confirmed, list, make, setText } from './draw.js';
import { letters } from './letters.js';
import { locks } from './locks.js';
import { outcomes } from './outcomes.js';
import { processes } from './processes.js';
import { renames } from './renames.js';
import { oneRequest } from './request.js';
import { takeOvers } from './takeovers.js';
import { count, counted, moment, printable } from './words.js';

const PAUSE_MILLIS = 2_000;
const LINK = '#request=';
const STATES = ['prepared', 'retry', 'moving', 'parked', 'held', 'done'];

const page = { refresh, act: confirmAndAct, failed };
const sections = {
  renames: renames(page),
  request: oneRequest(page),
  activity: activity(),
  processes: processes(page),
  locks: locks(page),
  outcomes: outcomes(page),
  'take-overs': takeOvers(page),
  'dead-letters': letters(page),
  audit: audit(page),
};

let shown = '';
let timer = 0;
let running = new AbortController(); // cancels the requests of the last refresh
let seen = null; // what the last `drawNow` showed

/** Returns the request id of a link such as #request=ID; null for another link. */
function linked() {
  if (!location.hash.startsWith(LINK)) {
    return null;
  }
  const id = location.hash.slice(LINK.length);
  try {
    return decodeURIComponent(id);
  } catch (failure) {
    return id; // not an encoded text
  }
}

function chosen() {
  const id = linked();
  if (id) {
    sections.request.open(id);
    return 'request';
  }
  const name = location.hash.replace(/^#\//, '');
  return Object.hasOwn(sections, name) && name !== 'request' ? name : 'renames';
}

function route() {
  if (shown && location.hash && !location.hash.startsWith('#/') && linked() === null) {
    return; // a link to a place in the page, for example #main
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
  document.title = `${byId(shown).querySelector('h2').textContent} · ${byId('name').textContent}`;
  refresh();
}

/** Cancels the running requests and reads the shown section now. */
function refresh() {
  clearTimeout(timer);
  running.abort();
  running = new AbortController();
  poll(running.signal);
}

/** Reads and draws the shown section, again and again, until the signal is aborted or the page is hidden. */
async function poll(signal) {
  try {
    const [name, parameters] = sections[shown].question();
    // the janitor takes samples for the plots only while a page asks for them
    if (name !== 'activity') {
      ask('activity', {}, signal).catch(() => undefined);
    }
    const [now, own] = await Promise.all([
      ask('now', {}, signal),
      name === 'now' ? null : ask(name, parameters, signal),
    ]);
    if (signal.aborted) {
      return;
    }
    if (now.answer) {
      drawNow(now.answer);
    }
    const answer = name === 'now' ? now : own;
    const content = Object.hasOwn(answer, 'answer') ? answer.answer : answer;
    if (content) {
      sections[shown].draw(content);
    }
    const problem = now.problem ?? answer.problem;
    show(problem && Object.hasOwn(answer, 'answer') ? `This page may be out of date: ${problem}.` : '');
    setText(byId('as-of'), now.at ? `as of ${moment(now.at)}` : 'no answer yet');
  } catch (failure) {
    if (signal.aborted) {
      return;
    }
    failed(failure);
  }
  if (!signal.aborted && document.visibilityState === 'visible') {
    timer = setTimeout(() => poll(signal), PAUSE_MILLIS);
  }
}

function failed(failure) {
  if (!(failure instanceof NoAnswer) && failure.name !== 'TimeoutError') {
    console.error(failure);
  }
  show(failure instanceof NoAnswer ? failure.message : 'The janitor does not answer; the page tries again.');
}

function show(problem) {
  const place = byId('problem');
  place.hidden = !problem;
  setText(place, problem ? printable(problem) : '');
}

/** Shows the result of an action. It remains until the next action, or until another section is opened. */
function report(words) {
  const place = byId('done');
  place.hidden = !words;
  setText(place, printable(words));
}

/** Draws the counts at the top. Announces important changes to screen readers: new and ended processes, and parked renames. */
function drawNow(now) {
  list(byId('counts'), STATES.filter((state) => now.states[state] > 0 || state === 'moving')
    .map((state) => ({ state, number: now.states[state] })),
  ({ state }) => state,
  ({ state, number }) => make('li', {}, badge(count(number), state === 'parked' ? 'bad' : ''), ` ${state}`));
  const pause = byId('pause');
  pause.hidden = !now.pause;
  setText(pause, now.pause ? printable(`Workers are ${now.pause}. They begin no new renames.`) : '');
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
      setText(byId('news'), printable(news.slice(0, 5).join('. ')));
    }
  }
  seen = next;
}

/** Executes an action after the person has confirmed it, and shows the result. */
async function confirmAndAct(name, body, title, words) {
  if (!await confirmed(title, words)) {
    return;
  }
  try {
    report((await act(name, body)).words);
  } catch (failure) {
    report(failure instanceof NoAnswer ? failure.message : 'The janitor did not answer. It is not known whether the action was executed.');
  }
  refresh();
}

function tokens() {
  const dialog = byId('token-dialog');
  byId('token-button').addEventListener('click', () => {
    if (hasToken()) {
      useToken(null);
      delete document.body.dataset.token;
      setText(byId('token-button'), 'Enter a token');
      refresh();
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
    setText(byId('token-button'), 'Forget the token');
    refresh();
  });
  dialog.addEventListener('close', () => {
    byId('token').value = '';
  });
}

tokens();
window.addEventListener('hashchange', route);
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') {
    refresh();
  } else {
    clearTimeout(timer);
  }
});
route();
