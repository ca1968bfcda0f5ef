import { defineConfig, type Plugin } from 'vite'

/** The dashboard: src/dashboard, built into dist/dashboard and served by src/http/pages/dashboard.ts. */
export default defineConfig({
  root: 'src/dashboard',
  // Relative, so that one build serves below any base path; the server makes the page's own
  // addresses absolute.
  base: './',
  // h() instead of jsx(): what it makes is smaller.
  oxc: {
    jsx: { runtime: 'classic', pragma: 'h', pragmaFrag: 'Fragment', development: false },
    jsxInject: "import { Fragment, h } from 'preact'",
  },
  plugins: [onlyLines()],
  build: {
    outDir: '../../dist/dashboard',
    emptyOutDir: true,
    target: 'es2024',
    // The policy of the page allows images from data: alone, and a file is cached better.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
  },
})

/**
 * uPlot hangs all it can on one function, so that nothing of it is shaken off. The charts are lines over
 * time with a legend and words of their own: what draws anything else is left out here.
 */
function onlyLines(): Plugin {
  const unused =
    'rangeLog rangeAsinh logAxisSplits asinhAxisSplits log10AxisValsFilt log2AxisValsFilt ' +
    'snapLogY snapAsinhY timeAxisStamps timeAxisVals timeAxisVal timeSeriesStamp timeSeriesVal ' +
    'legendStroke legendFill clipBandLine initLegendRow setLegendValues ' +
    'rangeNum _rangeNum snapNumY seriesPointsShow numSeriesVal hasData'
  const others: readonly (readonly [RegExp, string])[] = [
    [/\buPlot\.assign = assign;[\s\S]*/, 'uPlot.sync = _sync\nexport { uPlot as default }'],
    [/const showLegend = legend\.show;/, 'const showLegend = false;'],
    [/const _fmtDate = .*/, 'const _fmtDate = null;'],
    [/(days|months)\.map\(slice3\)/g, '[]'],
    [/const _timeAxisStamps = \[[\s\S]*?\n\t];/, 'const _timeAxisStamps = [];'],
    [/\b(\w+\.)?distr == (2|3|4|100)\b/g, 'false'],
    [/const mode = .*/g, 'const mode = 1;'],
    [/\b(scaleX|sx)\.ori == 0/g, 'true'],
    [/\bscaleX\.ori == 1/g, 'false'],
    [/\bxScaleDistr == [234]/g, 'false'],
    [/\baxis\.label != null/g, 'false'],
    [/\b(ticks|border)\.show\b/g, 'false'],
    [/let angle = .*/, 'const angle = 0;'],
    [/\bdrag\.y\b|\bmatchingY && dragY\b|\bdragX && dragY\b|(?<=if \()dragY(?=\))/g, 'false'],
    [/let uni = .*/, 'const uni = null;'],
    [/const ms = .*/, 'const ms = 1e-3;'],
    [
      /if \(cursor\.dataIdx == null\) {[\s\S]*?\n\t}/,
      'cursor.dataIdx = (self, seriesIdx, cursorIdx) => cursorIdx;',
    ],
    [/const cursorFocus = .*/, 'const cursorFocus = false;'],
    [/\blegend\.live\b/g, 'false'],
    [/let \[ (bandFillDir), (bandClipDir) ] = .*/g, 'const bandFillDir = 0, bandClipDir = 0;'],
    [/events\["setSeries"\] = [\s\S]*?\n\t};/, ''],
    [/^\tself\.(add|del|set)(Series|Band) = .*/gm, ''],
  ]
  const bodies = unused
    .split(' ')
    .map(
      (name) =>
        [new RegExp(`^(\\t?)function ${name}\\([\\s\\S]*?\\n\\1}`, 'm'), stub(name)] as const,
    )
  return {
    name: 'only-lines',
    transform: {
      filter: { id: /uPlot\.esm\.js/ },
      handler: (code) => [...bodies, ...others].reduce(replaceOnce, code),
    },
  }
}

function stub(name: string): string {
  return `function ${name}() {}`
}

function replaceOnce(code: string, [what, by]: readonly [RegExp, string]): string {
  if (!what.test(code)) throw new Error(`uPlot has changed: ${what} is not there`)
  return code.replace(what, () => by)
}
