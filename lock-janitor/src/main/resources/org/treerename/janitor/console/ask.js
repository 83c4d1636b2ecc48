// Sends requests to the janitor. The token is sent in a header. It is stored only in this script's memory.

const API = 'api/';
const PATIENCE_MILLIS = 25_000;

let token = null;
const MOST_KEPT = 50;
const last = new Map(); // the last response to each URL, with its tag

export function useToken(given) {
  token = given;
}

export function hasToken() {
  return token !== null;
}

/** A request that failed. `status` is the HTTP status, or 0 if the janitor did not answer. */
export class NoAnswer extends Error {
  constructor(status, message) {
    super(message);
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
    throw new NoAnswer(response.status, `${problem.title ?? 'The request failed'}.`);
  }
  return response;
}

function bounded(signal) {
  const patience = AbortSignal.timeout(PATIENCE_MILLIS);
  return signal ? AbortSignal.any([signal, patience]) : patience;
}

/**
 * Reads `name` from the janitor. Returns `{at, answer, problem}`, or the object that `name` defines. If nothing has changed, it returns the object of
 * the call before.
 */
export async function ask(name, parameters = {}, signal = undefined) {
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value)).toString();
  const url = API + name + (query ? `?${query}` : '');
  const known = last.get(url);
  const response = await send(url, {
    headers: headers(known ? { 'If-None-Match': known.tag } : {}), signal: bounded(signal),
  });
  if (response.status === 304) {
    return known.content;
  }
  const content = await response.json();
  const tag = response.headers.get('ETag');
  if (tag) {
    last.delete(url);
    last.set(url, { tag, content });
    if (last.size > MOST_KEPT) {
      last.delete(last.keys().next().value);
    }
  }
  return content;
}

/** Executes the action `name`. Returns `{done, words}`, or the object that `name` defines. */
export async function act(name, body) {
  const response = await send(API + name, {
    method: 'POST',
    headers: headers({ 'Content-Type': 'application/json' }),
    body: JSON.stringify(body),
    signal: bounded(),
  });
  return response.json();
}
