// What should not be there.

import { act } from './ask.js';
import { badge, byId, foreign, list, make, tell } from './draw.js';
import { count, counted, moment } from './words.js';

export function audit(page) {
  const section = byId('audit');
  const look = byId('audit-button');
  look.addEventListener('click', async () => {
    try {
      await act('audit', {});
      page.again();
    } catch (failure) {
      page.failed(failure);
    }
  });

  function note(answer) {
    if (answer.running) {
      return 'It looks …';
    }
    if (answer.problem) {
      return `The last look came to no end: ${answer.problem}.`;
    }
    if (!answer.at) {
      return 'Nobody has looked since this janitor began.';
    }
    const leaks = answer.findings.filter((finding) => finding.leak).length;
    const parked = answer.findings.filter((finding) => finding.kind === 'parked').length;
    const remarks = answer.findings.length - leaks - parked;
    const shown = answer.found > answer.findings.length ? ` The first ${count(answer.findings.length)} are shown.` : '';
    return `Looked at ${moment(answer.at)}: ${leaks === 0 ? 'no leak' : counted(leaks, 'leak')}, ${
      count(parked)} parked${remarks === 0 ? '' : `, ${counted(remarks, 'remark')}`}.${shown} The next look may begin ${answer.pause_seconds} s later.`;
  }

  return {
    question: () => ['audit', {}],

    /** As it stands: what is audited is no notice. */
    draw(answer) {
      look.setAttribute('aria-disabled', String(answer.running));
      tell(section.querySelector('[data-note]'), note(answer));
      list(section.querySelector('ul'), answer.findings, (finding) => `${finding.kind} ${finding.text}`,
        (finding) => make('li', {}, badge(finding.kind, finding.leak ? 'bad' : 'warn'), ' ', foreign(finding.text)));
    },
  };
}
