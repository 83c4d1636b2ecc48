// Draws plots as SVG. The numbers of each plot are also in its caption and in a table.

import { list, make, row, setText, titles } from './draw.js';
import { count } from './words.js';

const HEIGHT = 150;
const NARROWEST = 280;
const LEFT = 56;
const RIGHT = 8;
const TOP = 12;
const BOTTOM = 24;
const TICKS = 4;
const ROUND = [1, 2, 5, 10];
const minute = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const second = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

export function clock(at) {
  return minute.format(new Date(at));
}

function shape(name, attributes, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

/** Returns the smallest round number that is at least the given number: 1, 2, 5, 10, 20 … */
function roundUp(number) {
  const power = 10 ** Math.floor(Math.log10(Math.max(number, 1)));
  return power * ROUND.find((digit) => digit * power >= number);
}

/**
 * One plot of the last hour. `series` are `{name, className}`. A point is `{at, values}`: a time in milliseconds and one value for each
 * series. `gap` is the time between two points, in milliseconds. With `isStacked` each point is a bar, otherwise a line connects the
 * points that have no larger gap.
 */
export class Plot {
  constructor(figure, { series, gap, isStacked = false, format = count }) {
    Object.assign(this, { figure, series, gap, isStacked, format });
    this.svg = shape('svg', { role: 'img', 'aria-labelledby': figure.querySelector('figcaption').id });
    this.rows = make('tbody');
    const names = ['Time', ...series.map((one) => one.name)];
    this.table = make('table', {},
      make('thead', {}, make('tr', {}, ...names.map((name) => make('th', { scope: 'col' }, name)))), this.rows);
    figure.append(this.svg, make('details', {}, make('summary', {}, 'Table'), this.table));
    if (series.length > 1) {
      this.svg.before(make('ul', { class: 'legend', 'aria-hidden': 'true' },
        ...series.map(({ name, className }) => make('li', { class: className }, name))));
    }
  }

  /** Draws the points between two times, and a summary in words. */
  draw(points, from, to, words) {
    setText(this.figure.querySelector('[data-words]'), words);
    list(this.rows, points, (point) => point.at, (point) => row(
      titles(this.table), this.isStacked ? clock(point.at) : second.format(point.at), ...point.values.map(this.format),
    ));
    const width = Math.max(NARROWEST, this.figure.clientWidth);
    const highest = roundUp(Math.max(0, ...points.map((point) => this.height(point))));
    const x = (at) => LEFT + ((at - from) / (to - from)) * (width - LEFT - RIGHT);
    const y = (value) => HEIGHT - BOTTOM - (value / highest) * (HEIGHT - TOP - BOTTOM);
    this.svg.setAttribute('viewBox', `0 0 ${width} ${HEIGHT}`);
    this.svg.replaceChildren(...this.grid(highest, width, y), ...this.times(from, to, x),
      ...(this.isStacked ? this.bars(points, to, x, y) : this.lines(points, x, y)));
  }

  height({ values }) {
    return this.isStacked ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values);
  }

  grid(highest, width, y) {
    return [0, highest / 2, highest].flatMap((value) => [
      shape('line', { class: 'grid', x1: LEFT, x2: width - RIGHT, y1: y(value), y2: y(value) }),
      shape('text', { x: LEFT - 6, y: y(value) + 4, 'text-anchor': 'end' }, this.format(value)),
    ]);
  }

  times(from, to, x) {
    return Array.from({ length: TICKS + 1 }, (_, i) => {
      const at = from + (i / TICKS) * (to - from);
      const anchor = i === 0 ? 'start' : i === TICKS ? 'end' : 'middle';
      return shape('text', { x: x(at), y: HEIGHT - 6, 'text-anchor': anchor }, clock(at));
    });
  }

  bars(points, to, x, y) {
    return points.map((point) => {
      let below = 0;
      const parts = this.series.map(({ className }, i) => {
        const bottom = y(below);
        below += point.values[i];
        const width = Math.max(1, x(Math.min(point.at + this.gap, to)) - x(point.at));
        return shape('rect', { class: className, x: x(point.at), y: y(below), width, height: bottom - y(below) });
      });
      const words = this.series.map(({ name }, i) => `${this.format(point.values[i])} ${name}`).join(', ');
      return shape('g', { class: 'bar' }, shape('title', {}, `${clock(point.at)}: ${words}`), ...parts);
    });
  }

  lines(points, x, y) {
    return this.series.map(({ className }, i) => {
      const steps = points.map((point, n) => {
        const isNew = n === 0 || point.at - points[n - 1].at > this.gap;
        return isNew ? `M${x(point.at)} ${y(point.values[i])}h0` : `L${x(point.at)} ${y(point.values[i])}`;
      });
      return shape('path', { class: `line ${className}`, d: steps.join('') });
    });
  }
}
