/** Draws a chart by uPlot, in the colours of the page, as wide as its place. Loaded when a page has one. */
import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { ChartData, ChartLook } from './chart-data.ts'

const POINT_PX = 5
const AXIS_PX = 58
/** At least one row of pixels is covered whole. */
const LINE_PX = 2
const BAR_PART = 0.8
/** Of a chart of lines, at each end. */
const EDGE_PART = 0.015

const clock = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' })

/** Steps of an axis that counts: 1, 2, 5, 10 ... */
const WHOLE_STEPS = Array.from({ length: 12 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat()

export class Plot {
  readonly #place: HTMLElement
  readonly #look: ChartLook
  readonly #onPoint: (index: number | null) => void
  readonly #scheme = window.matchMedia('(prefers-color-scheme: dark)')
  readonly #size = new ResizeObserver(() => this.#fit())
  #data: ChartData
  #drawn: UPlot | null = null

  /** @param onPoint which sample the pointer is on */
  constructor(place: HTMLElement, look: ChartLook, data: ChartData, onPoint: (index: number | null) => void) {
    this.#place = place
    this.#look = look
    this.#data = data
    this.#onPoint = onPoint
    this.#draw()
    this.#scheme.addEventListener('change', this.#draw)
    this.#size.observe(place)
  }

  show(data: ChartData): void {
    this.#data = data
    this.#drawn?.setData(drawnData(data, this.#look.stacked))
  }

  close(): void {
    this.#scheme.removeEventListener('change', this.#draw)
    this.#size.disconnect()
    this.#drawn?.destroy()
  }

  readonly #draw = (): void => {
    this.#drawn?.destroy()
    const { stacked } = this.#look
    const { width, height } = this.#room()
    this.#drawn = new UPlot(
      {
        width,
        height,
        legend: { show: false },
        cursor: { drag: { x: false, y: false }, y: false, points: { show: !stacked } },
        scales: {
          x: { range: () => this.#times() },
          y: { range: (_plot, _low, high) => this.#values(high > 0 ? high * 1.1 : 1) }
        },
        axes: this.#axes(),
        series: [{}, ...this.#series()],
        hooks: { setCursor: [({ cursor: { idx = null, left = -1 } }) => this.#onPoint(left < 0 ? null : idx)] }
      },
      drawnData(this.#data, stacked),
      this.#place
    )
  }

  /** With room for the half of a bar, or of a point, before the first sample and behind the last one. */
  #times(): [number, number] {
    const { times, from, until } = this.#data
    const [first = 0, second = first] = times
    const room = this.#look.stacked ? (second - first) / 2 : (until - from) * EDGE_PART
    return [(from - room) / 1000, (until + room) / 1000]
  }

  /** A line of zeros is seen whole: what lies beyond the range is cut off. */
  #values(top: number): [number, number] {
    return [this.#look.stacked ? 0 : -top * EDGE_PART, top]
  }

  #axes(): UPlot.Axis[] {
    const { format, whole } = this.#look
    const style = getComputedStyle(this.#place)
    const shared = {
      stroke: colourOf(this.#place, 'muted'),
      font: `12px ${style.fontFamily}`,
      grid: { stroke: colourOf(this.#place, 'line'), width: 1 },
      ticks: { show: false }
    }
    return [
      {
        ...shared,
        size: 28,
        space: 72,
        values: (_plot, seconds) => seconds.map((second) => clock.format(second * 1000))
      },
      {
        ...shared,
        size: AXIS_PX,
        space: 24,
        values: (_plot, values) => values.map(format),
        ...(whole ? { incrs: WHOLE_STEPS } : {})
      }
    ]
  }

  /** Of a stack the sum of all comes first, and each of the others covers what is not its own. */
  #series(): UPlot.Series[] {
    const { tones, stacked } = this.#look
    const colours = tones.map((tone) => colourOf(this.#place, tone))
    if (!stacked) {
      const filter = (_plot: UPlot, series: number) => points(this.#data.series[series - 1]?.values ?? [])
      const shared = { size: POINT_PX, show: false, filter }
      return colours.map((stroke) => ({ stroke, width: LINE_PX, points: { ...shared, fill: stroke } }))
    }
    const bars = UPlot.paths.bars?.({ size: [BAR_PART, 60] })
    return colours.reverse().map((fill) => ({ fill, width: 0, points: { show: false }, ...(bars && { paths: bars }) }))
  }

  #room(): { width: number; height: number } {
    return { width: this.#place.clientWidth, height: this.#place.clientHeight }
  }

  #fit(): void {
    const { width, height } = this.#room()
    if (width > 0 && (width !== this.#drawn?.width || height !== this.#drawn.height)) {
      this.#drawn?.setSize({ width, height })
    }
  }
}

/**
 * Where no line leads to: a point is all that can be seen of it. And the newest value: of a process that has just
 * started all samples can lie within one pixel, which no line shows.
 */
function points(values: readonly (number | null)[]): number[] {
  return values.flatMap((value, index) => {
    const isAlone = values[index - 1] == null && values[index + 1] == null
    return value !== null && (isAlone || index === values.length - 1) ? [index] : []
  })
}

function drawnData({ times, series }: ChartData, stacked: boolean): UPlot.AlignedData {
  const seconds = times.map((time) => time / 1000)
  if (!stacked) return [seconds, ...series.map(({ values }) => [...values])]
  const sums: number[][] = []
  for (const { values } of series) {
    const below = sums[0]
    sums.unshift(values.map((value, index) => (value ?? 0) + (below?.[index] ?? 0)))
  }
  return [seconds, ...sums]
}

/** A property of the page may be a pair of colours, which the canvas does not know: an element does. */
function colourOf(place: HTMLElement, tone: string): string {
  const probe = document.createElement('i')
  probe.style.color = `var(--${tone})`
  place.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}
