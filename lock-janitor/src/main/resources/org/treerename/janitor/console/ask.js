// Asks the janitor. A token, once it is given, goes along in a header and is kept nowhere else.

const API = 'api/';
const PATIENCE_MILLIS = 25_000;

let token = null;
const last = new Map();
const MOST_KEPT = 50;

export function useToken(given) {
  token = given;
}

export function hasToken() {
  return token !== null;
}

/** Why there is no answer; `status` is HTTP's, 0 where nobody answered at all. */
export class NoAnswer extends Error {
  constructor(status, words) {
    super(words);
    this.status = status;
  }
}

function headers(more) {
  return token === null ? more : { ...more, Authorization: `Bearer ${token}` };
}

async function send(url, options) {
  let response;
  try {
    response = await fetch(url, {
      ...options, cache: 'no-store', credentials: 'omit', redirect: 'error',
    });
  } catch (failure) {
    if (options.signal?.reason?.name === 'AbortError') {
      throw failure;
    }
    throw new NoAnswer(0, 'The janitor does not answer.');
  }
  if (!response.ok && response.status !== 304) {
    const problem = await response.json().catch(() => ({}));
    throw new NoAnswer(response.status, `${problem.title ?? 'It failed'}.`);
  }
  return response;
}

function bounded(signal) {
  const patience = AbortSignal.timeout(PATIENCE_MILLIS);
  return signal ? AbortSignal.any([signal, patience]) : patience;
}

/** What was read last: `{at, answer, problem}`, or what `name` has of its own. The same object where nothing is new. */
export async function ask(name, parameters = {}, signal = undefined) {
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value)).toString();
  const url = API + name + (query ? `?${query}` : '');
  const known = last.get(url);
  const response = await send(url, {
    headers: headers(known ? { 'If-None-Match': known.tag } : {}), signal: bounded(signal),
  });
  if (response.status === 304) {
    return known.told;
  }
  const told = await response.json();
  const tag = response.headers.get('ETag');
  if (tag) {
    last.delete(url);
    last.set(url, { tag, told });
    if (last.size > MOST_KEPT) {
      last.delete(last.keys().next().value);
    }
  }
  return told;
}

/** Does something: `{done, words}`, or what `name` has of its own. */
export async function act(name, body) {
  const response = await send(API + name, {
    method: 'POST',
    headers: headers({ 'Content-Type': 'application/json' }),
    body: JSON.stringify(body),
    signal: bounded(),
  });
  return response.json();
}
