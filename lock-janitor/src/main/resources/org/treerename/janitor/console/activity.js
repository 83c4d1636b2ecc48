// The last hour: how many renames ended, how many requests waited for locks, and how long.

import { byId } from './draw.js';
import { Plot, clock } from './plot.js';
import { count, counted, length } from './words.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const STATUSES = ['completed', 'rejected', 'failed', 'cancelled', 'abandoned'];
const SAMPLES_APART = 45_000; // a line has a gap where this janitor took no sample

const sum = (values) => values.reduce((all, value) => all + value, 0);

export function activity() {
  const ended = new Plot(byId('plot-ended'), {
    series: STATUSES.map((name) => ({ name, className: name })), gap: MINUTE, isStacked: true,
  });
  const waiting = new Plot(byId('plot-waiting'), { series: [{ name: 'requests', className: 'waiting' }], gap: SAMPLES_APART });
  const oldest = new Plot(byId('plot-oldest'), {
    series: [{ name: 'oldest wait', className: 'waiting' }], gap: SAMPLES_APART, format: length,
  });

  function drawEnded(answer, from, to) {
    const points = answer.minutes.map((minute) => ({ at: Date.parse(minute.at), values: STATUSES.map((status) => minute[status] ?? 0) }));
    const sums = points.map((point) => sum(point.values));
    const words = STATUSES.map((status, i) => `${count(sum(points.map((point) => point.values[i])))} ${status}`);
    ended.draw(points, from, to, `${words.join(', ')}; at most ${count(Math.max(0, ...sums))} in one minute. The numbers are complete since ${
      clock(answer.minutes_from)}.`);
  }

  function drawWaiting(answer, from, to) {
    const samples = answer.waiting.map((sample) => ({ ...sample, at: Date.parse(sample.at) }));
    const last = samples.at(-1);
    waiting.draw(samples.map(({ at, requests }) => ({ at, values: [requests] })), from, to,
      `${counted(last.requests, 'request')} now, at most ${count(Math.max(...samples.map(({ requests }) => requests)))}.`);
    oldest.draw(samples.map(({ at, oldest_seconds }) => ({ at, values: [oldest_seconds] })), from, to,
      `${length(last.oldest_seconds)} now, at most ${length(Math.max(...samples.map(({ oldest_seconds }) => oldest_seconds)))}.`);
  }

  return {
    question: () => ['activity', {}],

    draw(answer) {
      const to = Date.now();
      const from = to - HOUR;
      drawEnded(answer, Math.min(from, ...answer.minutes.map((minute) => Date.parse(minute.at))), to);
      drawWaiting(answer, from, to);
    },
  };
}
