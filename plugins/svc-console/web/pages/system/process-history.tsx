/** The process within the last hour: its event loop, its memory, and what waits in its queues. */
import { useMemo } from 'preact/hooks'
import { Chart } from '../../parts/chart.tsx'
import type { ChartData, Tone } from '../../parts/chart-data.ts'
import { milliseconds } from '../../parts/figure.tsx'
import type { SystemSample } from './system-api.ts'

const HOUR_MS = 3_600_000
const MIB = 1_048_576
/** Of queues: as many as there are, over and over. */
const TONES: readonly Tone[] = ['accent', 'good', 'warn', 'bad', 'muted']

export const mebibytes = (value: number) => `${value.toFixed(0)} MiB`

export function ProcessHistory({ samples }: { readonly samples: readonly SystemSample[] }) {
  const { loop, memory, queues } = useMemo(() => charted(samples), [samples])
  return (
    <div class="charts">
      <Chart title="Delay of the event loop" data={loop} format={milliseconds} />
      <Chart title="Memory" data={memory} format={mebibytes} />
      {queues.series.length > 0 && (
        <Chart key={queues.series.map(({ name }) => name).join()} title="Waiting in queues" data={queues} whole />
      )}
    </div>
  )
}

function charted(samples: readonly SystemSample[]): { loop: ChartData; memory: ChartData; queues: ChartData } {
  const until = samples.at(-1)?.at ?? 0
  const domain = { times: samples.map(({ at }) => at), from: until - HOUR_MS, until }
  const names = [...new Set(samples.flatMap(({ queues }) => queues.map(({ name }) => name)))]
  return {
    loop: {
      ...domain,
      series: [
        { name: 'median', tone: 'good', values: samples.map(({ eventLoop }) => eventLoop.p50Ms) },
        { name: '99th percentile', tone: 'warn', values: samples.map(({ eventLoop }) => eventLoop.p99Ms) },
        { name: 'longest', tone: 'bad', values: samples.map(({ eventLoop }) => eventLoop.maxMs) }
      ]
    },
    memory: {
      ...domain,
      series: [
        { name: 'resident', tone: 'accent', values: samples.map(({ memory }) => memory.rss / MIB) },
        { name: 'heap in use', tone: 'good', values: samples.map(({ memory }) => memory.heapUsed / MIB) }
      ]
    },
    queues: {
      ...domain,
      series: names.map((name, index) => ({
        name,
        tone: TONES[index % TONES.length] ?? 'muted',
        values: samples.map(({ queues }) => queues.find((queue) => queue.name === name)?.depth ?? null)
      }))
    }
  }
}
