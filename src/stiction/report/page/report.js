"use strict";
// Draws report.charts with uPlot. Cursors and zoom are shared; colours follow light and dark.
(() => {
  const digits = "⁰¹²³⁴⁵⁶⁷⁸⁹";
  const power = (e) => "10" + String(e).replace("-", "⁻").replace(/\d/g, (d) => digits[+d]);
  const exponent = (v) => Math.round(Math.log10(v));
  const number = (v) => {
    if (v === null || v === undefined) return "–";
    if (v === 0) return "0";
    const a = Math.abs(v);
    const text = a >= 1e5 || a < 1e-3 ? v.toExponential(2).replace(/\.?0+e/, "e").replace("e+", "e") : String(+v.toPrecision(5));
    return text.replaceAll("-", "−");
  };
  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const plots = [];
  let zooming = false;

  const zoomOthers = (from, key) => {
    if (key !== "x" || zooming) return;
    zooming = true;
    const { min, max } = from.scales.x;
    for (const p of plots) if (p !== from) p.setScale("x", { min, max });
    zooming = false;
  };

  // Zero has no logarithm: it is drawn at the bottom, and told as 0.
  const floorOf = (chart) => {
    let least = chart.limit > 0 ? chart.limit : 1;
    for (const c of chart.curves) for (const v of c.value) if (v !== null && v > 0 && v < least) least = v;
    return Math.max(10 ** (Math.floor(Math.log10(least)) - 1), 1e-30);
  };

  const line = (chart) => (u) => {
    if (!(chart.limit > 0)) return;
    const y = u.valToPos(chart.limit, "y", true);
    const { left, top, width, height } = u.bbox;
    if (y < top || y > top + height) return;
    const c = u.ctx;
    c.save();
    c.strokeStyle = c.fillStyle = css("--bad");
    c.lineWidth = devicePixelRatio;
    c.setLineDash([5 * devicePixelRatio, 4 * devicePixelRatio]);
    c.beginPath();
    c.moveTo(left, y);
    c.lineTo(left + width, y);
    c.stroke();
    c.font = `${11 * devicePixelRatio}px ${css("--sans")}`;
    c.textAlign = "right";
    c.fillText(`${chart.limitLabel} ${number(chart.limit)}`, left + width - 4 * devicePixelRatio, y - 5 * devicePixelRatio);
    c.restore();
  };

  // Where no cursor stands the legend tells the values at the end.
  const showLast = (u) => u.setLegend({ idx: report.time.length - 1 }, false);
  const valueAt = (c, at) => {  // where a curve has no value of its own there, the last one before
    while (report.spanGaps && at > 0 && c.value[at] === null) --at;
    return c.value[at];
  };

  const axis = (more) => ({
    stroke: css("--soft"), font: `11px ${css("--sans")}`, grid: { stroke: css("--line"), width: 1 },
    ticks: { stroke: css("--line"), width: 1, size: 4 }, ...more,
  });

  // Powers of ten, so many that their labels do not crowd.
  const logSplits = (u, axisIndex, min, max) => {
    const first = Math.ceil(Math.log10(min) - 1e-9), last = Math.floor(Math.log10(max) + 1e-9);
    const each = Math.max(1, Math.ceil((last - first + 1) / 8));
    const out = [];
    for (let e = Math.ceil(first / each) * each; e <= last; e += each) out.push(10 ** e);
    return out;
  };

  // Curves of a filled chart stand on each other.
  const stacked = (curves) => {
    let below = report.time.map(() => 0);
    return curves.map((c) => (below = below.map((v, i) => v + (c.value[i] ?? 0))));
  };

  const draw = (chart) => {
    const box = document.getElementById(chart.id);
    if (!box || chart.curves.length === 0) return;
    box.textContent = "";
    const low = floorOf(chart);
    const shown = chart.filled ? stacked(chart.curves)
      : chart.curves.map((c) => (chart.log ? c.value.map((v) => (v === null ? null : Math.max(v, low))) : c.value));
    let next = 0;
    const series = chart.curves.map((c, i) => {
      const colour = c.colour === -2 ? css("--sum") : css(`--c${(c.colour >= 0 ? c.colour : next++) % 17}`);
      return {
        label: c.label, spanGaps: !!report.spanGaps, pxAlign: 0, stroke: colour, width: c.strong ? 2 : 1.6, dash: c.dashed ? [6, 4] : undefined,
        fill: chart.filled && i === 0 ? colour + "40" : undefined, points: { show: report.time.length < 3 },
        value: (u, v, s, at) => number(at === null || at === undefined ? null : valueAt(c, at)),
        paths: chart.filled ? uPlot.paths.stepped({ align: 1 }) : undefined,
      };
    });
    const range = (u, min, max) => {
      if (chart.log) {
        const top = Math.max(max ?? 1, chart.limit > 0 ? chart.limit : 0);
        return [low, 10 ** Math.ceil(Math.log10(top) + 0.3)];
      }
      if (min === null) return [0, 1];
      if (chart.filled) min = 0;
      const pad = max > min ? 0.06 * (max - min) : Math.max(Math.abs(max), 1e-9) * 0.5;
      return [chart.filled ? 0 : min - pad, max + pad];
    };
    const plot = new uPlot({
      width: box.clientWidth, height: 260, cursor: { sync: { key: "time" }, focus: { prox: 24 }, points: { size: 6 } },
      focus: { alpha: 0.35 }, legend: { live: true },
      bands: chart.filled ? series.slice(1).map((c, i) => ({ series: [i + 2, i + 1], fill: c.stroke + "40" })) : undefined,
      scales: { x: { time: false }, y: { distr: chart.log ? 3 : 1, range } },
      series: [{ label: "t", value: (u, v) => (v === null || v === undefined ? "–" : number(v) + " s") }, ...series],
      axes: [
        axis({ space: 60, size: 32, values: (u, s) => s.map((v) => (v === null ? "" : +v.toPrecision(8) + (v === s[s.length - 1] ? " s" : ""))) }),
        axis(chart.log
          ? { size: 52, splits: logSplits, filter: (u, s) => s, values: (u, s) => s.map((v) => power(exponent(v))) }
          : { size: 64, values: (u, s) => s.map((v) => number(+v.toPrecision(10))) }),
      ],
      hooks: { draw: [line(chart)], setScale: [zoomOthers], ready: [showLast] },
    }, [report.time, ...shown], box);
    plot.over.addEventListener("mouseleave", () => plots.forEach(showLast));
    plots.push(plot);
  };

  const drawAll = () => {
    while (plots.length) plots.pop().destroy();
    report.charts.forEach(draw);
  };
  drawAll();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
  let width = innerWidth;
  addEventListener("resize", () => {
    if (innerWidth === width) return;
    width = innerWidth;
    for (const p of plots) p.setSize({ width: p.root.parentElement.clientWidth, height: 260 });
  });
})();
