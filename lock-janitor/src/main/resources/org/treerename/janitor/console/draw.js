// Makes and changes what stands on the page. Everything that comes from elsewhere is set as text.

import { moment, printable, short } from './words.js';

export function byId(id) {
  return document.getElementById(id);
}

/** An element; `attributes` are set as attributes, or listened to where they are functions; `children` are nodes or texts. */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') {
      element.addEventListener(key, value);
    } else if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(key, value === true ? '' : value);
    }
  }
  element.append(...children);
  return element;
}

/** Changes a text where it is another one, so that nothing is read aloud, or selected, in vain. */
export function tell(element, text) {
  const now = String(text);
  if (element.textContent !== now) {
    element.textContent = now;
  }
}

/** A text of somebody else: cut where it is long, and by itself where its direction is concerned. */
export function foreign(text, className = 'foreign') {
  return make('bdi', { class: className, title: printable(text) }, short(text));
}

/** The whole of it. */
export function whole(text) {
  return make('bdi', { class: 'foreign' }, printable(text));
}

/**
 * Draws a list so that what stays keeps its element, and with it the focus: each item of `items` is known by `key`, and an element is made
 * anew only where its item has changed.
 */
export function list(parent, items, key, draw) {
  const known = new Map(Array.from(parent.children, (child) => [child.dataset.key, child]));
  const focused = document.activeElement;
  const wanted = items.map((item) => {
    const id = String(key(item));
    const state = JSON.stringify(item);
    const old = known.get(id);
    if (old && old.drawn === state) {
      return old;
    }
    const fresh = draw(item);
    fresh.dataset.key = id;
    fresh.drawn = state;
    if (old?.contains(focused)) {
      fresh.focusAs = focused.dataset.focus;
    }
    return fresh;
  });
  wanted.forEach((element, i) => {
    if (parent.children[i] !== element) {
      parent.insertBefore(element, parent.children[i] ?? null);
    }
  });
  while (parent.children.length > wanted.length) {
    parent.lastElementChild.remove();
  }
  for (const element of wanted) {
    if (element.focusAs) {
      element.querySelector(`[data-focus="${CSS.escape(element.focusAs)}"]`)?.focus();
      element.focusAs = undefined;
    }
  }
}

/** A row of a table; on a small screen each cell tells its column's title. */
export function row(titles, ...cells) {
  const line = make('tr');
  cells.forEach((cell, i) => {
    const content = Array.isArray(cell) ? cell : [cell];
    const element = i === 0 ? make('th', { scope: 'row' }) : make('td');
    element.dataset.title = titles[i];
    const parts = content.filter((part) => part !== null && part !== undefined && part !== '');
    if (parts.length > 0) {
      element.append(make('div', {}, ...parts));
    }
    line.append(element);
  });
  return line;
}

export function titles(section) {
  return Array.from(section.querySelectorAll('thead th'), (th) => th.textContent);
}

/** A word with a colour, which never says more than the word. */
export function badge(word, kind = '') {
  return make('span', { class: `badge ${kind}` }, word);
}

export function button(words, pressed, more = {}) {
  return make('button', { type: 'button', click: pressed, 'data-focus': words, ...more }, words);
}

/** All fields of an object, whole, in a dialog. */
export function details(title, fields) {
  const dialog = byId('details');
  byId('details-title').replaceChildren(title);
  dialog.querySelector('dl').replaceChildren(...fields
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, whole(value))]));
  dialog.showModal();
}

/** A request's id, to be pressed for all that is known of it. */
export function request(rename) {
  return make('button', {
    type: 'button', class: 'id', 'data-focus': 'id', title: printable(rename.request_id), click: () => showRename(rename),
  }, make('bdi', {}, short(rename.request_id)));
}

function showRename(rename) {
  const outcome = rename.outcome ?? {};
  details('Request', [
    ['request', rename.request_id], ['namespace', rename.namespace], ['source', rename.source],
    ['destination', rename.destination], ['directories', rename.directories?.join('\n')], ['state', rename.state],
    ['asked by', rename.requested_by], ['asked at', rename.requested_at], ['committed at', rename.committed_at],
    ['finished at', rename.finished_at], ['carried by', `${rename.process_id} (${rename.process_state})`],
    ['epoch', rename.epoch], ['moved', `${rename.moved} of ${rename.expected}`], ['passes', rename.passes],
    ['refused', rename.refusals ? `${rename.refusals} times, the last time by ${rename.refused_by}` : ''],
    ['refusal', rename.refusal], ['parked', rename.parked], ['status', outcome.status], ['reason', outcome.reason],
    ['message', outcome.message],
  ]);
}

/** When it was, in one line. */
export function at(iso) {
  return iso ? make('time', { class: 'time', datetime: iso }, moment(iso)) : '';
}

/** From where to where. */
export function way([source, destination]) {
  const parts = [foreign(source)];
  if (destination !== undefined && destination !== null) {
    parts.push(make('span', { class: 'to' }, ' to '), foreign(destination));
  }
  return parts;
}

/** Pages, by what the one before says is next. */
export class Pager {
  constructor(parent, changed) {
    this.places = [''];
    this.changed = changed;
    this.first = button('First page', () => this.places.length > 1 && this.go(['']));
    this.before = button('Page before', () => this.places.length > 1 && this.go(this.places.slice(0, -1)));
    this.after = button('Next page', () => this.next && this.go([...this.places, this.next]));
    this.where = make('span', { class: 'where' });
    parent.append(this.first, this.before, this.where, this.after);
    this.show(null);
  }

  get place() {
    return this.places.at(-1);
  }

  go(places) {
    this.places = places;
    this.changed();
  }

  reset() {
    this.places = [''];
  }

  show(next) {
    this.next = next;
    const page = this.places.length;
    tell(this.where, `page ${page}`);
    // one that has the focus keeps it: it is only said to be of no use
    for (const [of, isOff] of [[this.first, page === 1], [this.before, page === 1], [this.after, !next]]) {
      of.setAttribute('aria-disabled', String(isOff));
      of.disabled = isOff && document.activeElement !== of;
    }
    this.first.parentElement.hidden = page === 1 && !next;
  }
}

/** Whether somebody means it. */
export function confirmed(title, words) {
  const dialog = byId('confirm');
  tell(byId('confirm-title'), title);
  byId('confirm-words').replaceChildren(whole(words));
  const [no, yes] = dialog.querySelectorAll('button');
  return new Promise((resolve) => {
    let meant = false;
    yes.onclick = () => {
      meant = true;
      dialog.close();
    };
    no.onclick = () => dialog.close();
    dialog.addEventListener('close', () => resolve(meant), { once: true });
    dialog.showModal();
    no.focus();
  });
}
