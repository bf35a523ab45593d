// Live plots: the certificate against its limit (logarithmic), the ledger by cause.
import uPlot from 'uplot';
import { certificateFields } from './engine.js';

const colors = ['#4c78a8', '#f58518', '#e45756', '#54a24b', '#b279a2', '#72b7b2', '#b8960c', '#9d755d', '#ff7f9a', '#888888',
  '#1fa187', '#5b4fcf', '#c2410c', '#d4a5f5', '#6b8e23', '#00a0c6', '#a83279', '#3f6b50', '#e0a100', '#7f5f9f', '#2f4b7c', '#ff6f3c'];
const most = 600;        // points of a curve; when there are more, every other one goes
const floor = 1e-17;     // where zeros of the certificate are drawn

/** Marks of an axis, also where they are far below one. */
function labels(marks) {
  const step = Math.abs(marks[1] - marks[0]), isPlain = !(step < 0.01 || step >= 1e6);
  return marks.map((x) => (x === 0 ? '0' : isPlain ? x.toLocaleString('en', { maximumFractionDigits: 3 }) : (+x.toPrecision(6)).toExponential().replace('e+', 'e')));
}

function plot(target, fields, options) {
  const text = () => getComputedStyle(document.documentElement).getPropertyValue('--soft').trim();
  const line = () => getComputedStyle(document.documentElement).getPropertyValue('--line').trim();
  const axis = { stroke: text, grid: { stroke: line, width: 1 }, ticks: { show: false }, font: '11px system-ui' };
  return new uPlot({
    width: target.clientWidth || 300, height: target.clientHeight || 168, legend: { show: false },
    cursor: { drag: { x: false, y: false } },
    scales: { x: { time: false }, y: options.scale },
    axes: [{ ...axis, size: 24 }, { ...axis, size: 52, values: options.values, splits: options.splits, ...(options.splits && { filter: (_, splits) => splits }) }],
    series: [{}, ...fields.map((_, i) => ({ stroke: options.color?.(i) ?? colors[i % colors.length], width: 1.5, pxAlign: 0, points: { show: false }, dash: options.dash?.(i) }))],
  }, [[], ...fields.map(() => [])], target);
}

/** Curves that are thinned out, so that a run of any length keeps its whole course. `worst`: of points that become one, the largest value stays. */
class Curves {
  constructor(count, worst = false) {
    this.data = Array.from({ length: count + 1 }, () => []), this.worst = worst;
    this.clear();
  }
  clear() { this.data.forEach((column) => (column.length = 0)), this.every = 1, this.seen = 0; }
  add(row) {
    if (row[0] < (this.data[0].at(-1) ?? -1)) this.clear();
    if (this.seen++ % this.every) {
      if (this.worst) row.forEach((x, i) => { if (i > 0 && x > this.data[i].at(-1)) this.data[i][this.data[i].length - 1] = x; });
      return;
    }
    row.forEach((x, i) => this.data[i].push(x));
    if (this.data[0].length < most) return;
    const worst = (column) => (x, i) => (column[i + 1] > x ? column[i + 1] : x);
    this.data = this.data.map((column, k) => (this.worst && k > 0 ? column.map(worst(column)) : column).filter((_, i) => i % 2 === 0));
    this.every *= 2;
  }
}

export class Plots {
  constructor(certificate, ledger) {
    this.targets = [certificate, ledger];
    const observer = new ResizeObserver(() => this.#resize());  // also when a panel that was closed opens
    for (const target of this.targets) observer.observe(target);
  }

  start(names) {
    this.at = Object.fromEntries(names.map((name, i) => [name, i]));
    this.causes = names.filter((name) => name.startsWith('booked.')).map((name) => name.slice(7));
    this.certificate?.destroy(), this.ledger?.destroy();
    const decades = [1e-16, 1e-12, 1e-8, 1e-4, 1], exponent = (_, marks) => marks.map((x) => `1e${Math.round(Math.log10(x))}`);
    const limit = certificateFields.length;
    this.certificate = plot(this.targets[0], [...certificateFields, 'limit'], {
      scale: { distr: 3, range: [floor / 2, 1] }, values: exponent, splits: () => decades,
      color: (i) => (i === limit ? '#d62728' : undefined), dash: (i) => (i === limit ? [6, 4] : undefined) });
    this.ledger = plot(this.targets[1], this.causes, { scale: {}, values: (_, marks) => labels(marks) });
    this.certificateCurves = new Curves(limit + 1, true), this.ledgerCurves = new Curves(this.causes.length);
    this.dirty = true;
  }
  causeColor(i) { return colors[i % colors.length]; }
  certificateColor(i) { return colors[i]; }

  add(numbers) {
    const value = (name) => numbers[this.at[name]];
    const time = value('time');
    if (value('steps') === 0) this.certificateCurves.clear();  // nothing is certified yet
    else this.certificateCurves.add([time, ...certificateFields.map((f) => (value(f) === undefined ? null : Math.max(floor, value(f)))), value('tolerance')]);
    this.ledgerCurves.add([time, ...this.causes.map((c) => value(`booked.${c}`))]);
    this.dirty = true;
  }
  draw() {
    if (!this.dirty) return;
    this.dirty = false;
    this.certificate.setData(this.certificateCurves.data);
    this.ledger.setData(this.ledgerCurves.data);
  }
  redraw() { this.certificate?.redraw(), this.ledger?.redraw(); }
  #resize() {
    [this.certificate, this.ledger].forEach((p, i) => {
      const { clientWidth: width, clientHeight: height } = this.targets[i];
      if (width > 0 && height > 0) p?.setSize({ width, height });
    });
  }
}
