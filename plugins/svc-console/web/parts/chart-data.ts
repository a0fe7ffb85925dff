/** What a chart shows and how, for the part of the page that it is and for what draws it. */

/** A colour of the style sheet. */
export type Tone = 'good' | 'bad' | 'warn' | 'accent' | 'muted'

export interface ChartSeries {
  readonly name: string
  readonly tone: Tone
  /** One for each time; `null` where there is none. */
  readonly values: readonly (number | null)[]
}

export interface ChartData {
  /** Epoch ms, oldest first. */
  readonly times: readonly number[]
  readonly series: readonly ChartSeries[]
  /** What the chart is wide: epoch ms, of its first and its last time. */
  readonly from: number
  readonly until: number
}

export interface ChartLook {
  readonly tones: readonly Tone[]
  /** Bars, one on top of the other; else lines. */
  readonly stacked: boolean
  /** The axis counts in whole numbers. */
  readonly whole: boolean
  readonly format: (value: number) => string
}
