// The audit: locks, journal entries, processes and documents that should not exist.

import { act } from './ask.js';
import { badge, byId, foreign, list, make, setText } from './draw.js';
import { count, counted, moment } from './words.js';

export function audit(page) {
  const section = byId('audit');
  const run = byId('audit-button');
  run.addEventListener('click', async () => {
    try {
      await act('audit', {});
      page.refresh();
    } catch (failure) {
      page.failed(failure);
    }
  });

  function note(answer) {
    if (answer.running) {
      return 'The audit is running …';
    }
    if (answer.problem) {
      return `The last audit failed: ${answer.problem}.`;
    }
    if (!answer.at) {
      return 'This janitor has run no audit since it started.';
    }
    const leaks = answer.findings.filter((finding) => finding.leak).length;
    const parked = answer.findings.filter((finding) => finding.kind === 'parked').length;
    const remarks = answer.findings.length - leaks - parked;
    const shown = answer.found > answer.findings.length ? ` The first ${count(answer.findings.length)} are shown.` : '';
    return `Audited at ${moment(answer.at)}: ${leaks === 0 ? 'no leak' : counted(leaks, 'leak')}, ${
      count(parked)} parked${remarks === 0 ? '' : `, ${counted(remarks, 'remark')}`}.${shown} The next audit can begin ${
      answer.pause_seconds} s after this one.`;
  }

  return {
    question: () => ['audit', {}],

    /** Draws the whole response, because the response to `audit` has no `answer` inside. */
    draw(answer) {
      run.setAttribute('aria-disabled', String(answer.running));
      setText(section.querySelector('[data-note]'), note(answer));
      list(section.querySelector('ul'), answer.findings, (finding) => `${finding.kind} ${finding.text}`,
        (finding) => make('li', {}, badge(finding.kind, finding.leak ? 'bad' : 'warn'), ' ', foreign(finding.text)));
    },
  };
}
