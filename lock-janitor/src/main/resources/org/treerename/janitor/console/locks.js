// The tree of locks: each path with its holds and claims, and the requests for which each claim waits.

import { Pager, badge, byId, foreign, make, request, setText } from './draw.js';
import { count, counted, printable } from './words.js';

const FEW = 3; // the most shared entries that are shown without a fold
const keyOf = (lock) => JSON.stringify([lock.namespace, lock.path]);

/** Returns the tree of the locked paths, in their order. A path without a locked path above it on the page is at the top. */
function nested(locks) {
  const nodes = new Map(locks.map((lock) => [keyOf(lock), { lock, children: [] }]));
  const top = [];
  for (const node of nodes.values()) {
    const { namespace, above } = node.lock;
    const parent = above === null ? undefined : nodes.get(JSON.stringify([namespace, above]));
    (parent ? parent.children : top).push(node);
  }
  return top;
}

/** Returns the selector that finds an element again after the tree was drawn again: a path or a link to a request. */
function selector(element) {
  return element.dataset.key
    ? `summary[data-key="${CSS.escape(element.dataset.key)}"]`
    : `a[href="${CSS.escape(element.getAttribute('href'))}"]`;
}

const waiters = (lock) => lock.holders.filter((holder) => holder.waits_for_found > 0).length;

function more(found, shown) {
  return found > shown ? make('li', { class: 'small' }, `and ${count(found - shown)} more`) : '';
}

function holder(one) {
  const how = one.by === 'hold' ? 'held' : 'claimed';
  const line = make('li', { class: one.waits_for_found > 0 ? 'waits' : '' },
    badge(`${how} ${one.mode}`, one.by === 'hold' ? 'good' : 'warn'), ' by ', request(one.request_id));
  if (one.process_id) {
    line.append(' of ', foreign(one.process_id), ' ', badge(one.process_state, one.process_state === 'live' ? 'good' : 'bad'));
  }
  if (!one.counts) {
    line.append(' ', badge('no longer valid', 'quiet'));
  }
  if (one.waits_for_found > 0) {
    const waits = make('ul', { class: 'for', 'aria-label': 'waits for' });
    one.waits_for.forEach((id) => waits.append(make('li', {}, request(id))));
    waits.append(more(one.waits_for_found, one.waits_for.length));
    line.append(make('span', {}, ', waits for'), waits);
  }
  return line;
}

export function locks(page) {
  const section = byId('locks');
  const form = byId('locks-filter');
  const tree = section.querySelector('.tree');
  const pager = new Pager(section.querySelector('.pager'), page.refresh);
  const folded = new Map(); // by key: whether the person has opened (true) or closed (false) it
  let drawn = '';
  let query = {};
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    query = { namespace: form.namespace.value.trim(), path: form.path.value };
    pager.reset();
    page.refresh();
  });

  function fill(body, node) {
    // shared entries that wait for no request are folded if there are more than a few
    const foldable = node.lock.holders.filter((one) => one.mode === 'shared' && one.waits_for_found === 0);
    const important = node.lock.holders.filter((one) => !foldable.includes(one));
    const others = more(node.lock.holders_found, node.lock.holders.length);
    const holders = make('ul', { class: 'holders' }, ...important.map((one) => holder(one)));
    if (foldable.length > FEW) {
      const sharing = node.lock.holders_found - important.length;
      const key = `${keyOf(node.lock)} shared`;
      const summary = make('summary', { 'data-key': key }, `${counted(sharing, 'entry', 'entries')}${important.length > 0 ? ' more' : ''}`);
      const details = make('details', folded.get(key) ? { open: true } : {}, summary,
        make('ul', { class: 'holders' }, ...foldable.map((one) => holder(one)), others));
      summary.addEventListener('click', () => folded.set(key, !details.open));
      holders.append(make('li', {}, details));
    } else {
      holders.append(...foldable.map((one) => holder(one)), others);
    }
    body.replaceChildren(holders);
    if (node.children.length > 0) {
      body.append(make('ul', { class: 'paths' }, ...node.children.map((child) => place(child, node.lock))));
    }
  }

  function place(node, above) {
    const { lock } = node;
    const key = keyOf(lock);
    const body = make('div', { class: 'body' });
    // a path that begins with the path above it is shown without that beginning
    const name = above && lock.path.startsWith(above.path) ? lock.path.slice(above.path.length) : lock.path;
    const waiting = waiters(lock);
    const summary = make('summary', { 'data-key': key }, foreign(name || lock.path, 'foreign path'));
    summary.firstChild.title = printable(lock.path);
    if (!above) {
      summary.append(' ', make('span', { class: 'small' }, 'in ', lock.namespace, ' ·'));
    }
    summary.append(' ', make('span', { class: 'small' }, counted(lock.holders_found, 'entry', 'entries')));
    if (waiting > 0) {
      summary.append(' ', badge(`${count(waiting)} waiting`, 'warn'));
    }
    const isOpen = folded.get(key) ?? (waiting > 0 || tree.dataset.few === 'true' || contended(node));
    const details = make('details', isOpen ? { open: true } : {}, summary, body);
    if (isOpen) {
      fill(body, node);
    }
    details.addEventListener('toggle', () => {
      if (details.open && body.childElementCount === 0) {
        fill(body, node);
      }
    });
    summary.addEventListener('click', () => folded.set(key, !details.open));
    return make('li', {}, details);
  }

  const contended = (node) => node.children.some((child) => waiters(child.lock) > 0 || contended(child));

  return {
    question: () => ['locks', { ...query, after: pager.place }],

    draw(answer) {
      pager.show(answer.next);
      const state = JSON.stringify(answer.locks);
      if (state === drawn) {
        return;
      }
      drawn = state;
      const focused = tree.contains(document.activeElement) ? selector(document.activeElement) : undefined;
      const waiting = answer.locks.reduce((sum, lock) => sum + waiters(lock), 0);
      tree.dataset.few = String(answer.locks.length <= 30);
      setText(section.querySelector('[data-note]'), answer.locks.length === 0
        ? 'No locks found.'
        : `${counted(answer.locks.length, 'locked path')} on this page, ${waiting === 0 ? 'none waiting' : `${count(waiting)} waiting`}.`);
      tree.replaceChildren(make('ul', { class: 'paths' }, ...nested(answer.locks).map((node) => place(node, null))));
      if (focused) {
        tree.querySelector(focused)?.focus();
      }
    },
  };
}
