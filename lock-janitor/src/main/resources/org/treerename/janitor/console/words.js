// Formats texts, numbers and times. The page inserts texts of requests only as text, never as HTML.

const LONGEST = 160;
const HEAD = 90;
const TAIL = 60;

// control characters, invisible characters, and characters that change the direction of the text after them
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;
const LONE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const asNumber = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Returns the text with each character that is invisible, or that changes the text direction, replaced by its number. */
export function printable(text) {
  return String(text).replace(UNSEEN, asNumber).replace(LONE, asNumber);
}

/** Returns the printable text; of a long text only the beginning and the end. */
export function short(text) {
  const points = Array.from(printable(text));
  return points.length <= LONGEST
    ? points.join('')
    : `${points.slice(0, HEAD).join('')} … ${points.slice(-TAIL).join('')}`;
}

const numbers = new Intl.NumberFormat('en');
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

export function count(number) {
  return numbers.format(number);
}

/** Returns a number and a noun in the right form, for example `2 locks`. */
export function counted(number, one, more = `${one}s`) {
  return `${count(number)} ${number === 1 ? one : more}`;
}

/** Formats a time; it contains the date only if the time is more than twelve hours away. */
export function moment(iso) {
  if (!iso) {
    return '';
  }
  const at = new Date(iso);
  return Math.abs(Date.now() - at.getTime()) < 12 * 3_600_000 ? clock.format(at) : day.format(at);
}

export function length(seconds) {
  if (seconds < 10) {
    return `${seconds.toFixed(1)} s`;
  }
  if (seconds < 120) {
    return `${Math.round(seconds)} s`;
  }
  if (seconds < 7_200) {
    return `${Math.round(seconds / 60)} min`;
  }
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} d`;
}

export function between(from, to) {
  return from && to ? length(Math.max(0, (new Date(to) - new Date(from)) / 1_000)) : '';
}

/** Returns the source and the destination of a rename, or the directories of a writer. */
export function paths(rename) {
  return rename.directories
    ? ['writing into', rename.directories.join(', ')]
    : [rename.source ?? '(no request)', rename.destination];
}
