// Creates and changes elements of the page. Data of the janitor is always set as text.

import { moment, printable, short } from './words.js';

export function byId(id) {
  return document.getElementById(id);
}

/** Returns a new element. An attribute that is a function becomes an event listener. `children` are nodes or texts. */
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

/** Sets a text if it has changed. An unchanged text is not read aloud again, and keeps its selection. */
export function setText(element, text) {
  const now = String(text);
  if (element.textContent !== now) {
    element.textContent = now;
  }
}

/** Returns an element with a text of a request. A long text is cut. Its direction does not affect the text around it. */
export function foreign(text, className = 'foreign') {
  return make('bdi', { class: className, title: printable(text) }, short(text));
}

/** Returns an element with a text of a request, uncut. */
export function whole(text) {
  return make('bdi', { class: 'foreign' }, printable(text));
}

/**
 * Draws a list. `key` identifies each item of `items`. An element is created again only if its item has changed, so unchanged items keep the
 * focus. If the focus was in an element that is created again, it moves to the new element.
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

/** Returns a row of a table. On a small screen each cell shows the title of its column. */
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

/** Returns a word with a colour. The colour has no meaning beyond the word. */
export function badge(word, kind = '') {
  return make('span', { class: `badge ${kind}` }, word);
}

export function button(words, onClick, more = {}) {
  return make('button', { type: 'button', click: onClick, 'data-focus': words, ...more }, words);
}

/** Returns a link to the view of one request. */
export function request(requestId) {
  return make('a', {
    class: 'id', 'data-focus': 'id', title: printable(requestId), href: `#request=${encodeURIComponent(requestId.toWellFormed())}`,
  }, make('bdi', {}, short(requestId)));
}

/** Returns an element with a time, in one line. */
export function at(iso) {
  return iso ? make('time', { class: 'time', datetime: iso }, moment(iso)) : '';
}

/** Returns the elements of `source to destination`, or of the source alone. */
export function fromTo([source, destination]) {
  const parts = [foreign(source)];
  if (destination !== undefined && destination !== null) {
    parts.push(make('span', { class: 'to' }, ' to '), foreign(destination));
  }
  return parts;
}

/** The buttons that turn pages. Each page contains the place at which the next page begins. */
export class Pager {
  constructor(parent, changed) {
    this.places = [''];
    this.changed = changed;
    this.first = button('First page', () => this.places.length > 1 && this.go(['']));
    this.before = button('Previous page', () => this.places.length > 1 && this.go(this.places.slice(0, -1)));
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
    setText(this.where, `page ${page}`);
    // a disabled button loses the focus, so the focused button is only marked as disabled
    for (const [turn, isOff] of [[this.first, page === 1], [this.before, page === 1], [this.after, !next]]) {
      turn.setAttribute('aria-disabled', String(isOff));
      turn.disabled = isOff && document.activeElement !== turn;
    }
    this.first.parentElement.hidden = page === 1 && !next;
  }
}

/** Asks the person to confirm an action. Resolves to true if the answer is yes. */
export function confirmed(title, words) {
  const dialog = byId('confirm');
  setText(byId('confirm-title'), title);
  byId('confirm-words').replaceChildren(whole(words));
  const [no, yes] = dialog.querySelectorAll('button');
  return new Promise((resolve) => {
    let isConfirmed = false;
    yes.onclick = () => {
      isConfirmed = true;
      dialog.close();
    };
    no.onclick = () => dialog.close();
    dialog.addEventListener('close', () => resolve(isConfirmed), { once: true });
    dialog.showModal();
    no.focus();
  });
}
