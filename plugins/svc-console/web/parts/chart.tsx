/**
 * Figures over time: drawn, in words, and as a table. What draws is loaded when the chart is in the page; its place is
 * kept free until then, so that nothing moves.
 */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ChartData, ChartLook } from './chart-data.ts'
import type { Plot } from './plot.ts'
import { localTime, timeOfDay } from './time.tsx'

interface ChartProps extends Partial<Omit<ChartLook, 'tones'>> {
  readonly title: string
  readonly data: ChartData
}

const NONE = '–'

export function Chart({ title, data, stacked = false, whole = false, format = String }: ChartProps) {
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<Plot | null>(null)
  const newest = useRef(data)
  const [point, setPoint] = useState<number | null>(null)
  newest.current = data
  useEffect(() => {
    let left = false
    const look = { tones: data.series.map(({ tone }) => tone), stacked, whole, format }
    import('./plot.ts').then(
      ({ Plot }) => {
        if (!left && place.current !== null) plot.current = new Plot(place.current, look, newest.current, setPoint)
      },
      // The files of another version have other names. The figures are there all the same.
      () => undefined
    )
    return () => {
      left = true
      plot.current?.close()
      plot.current = null
    }
  }, [])
  useEffect(() => plot.current?.show(data), [data])
  const { times, series } = data
  const shown = point !== null && point < times.length ? point : times.length - 1
  return (
    <figure class="chart">
      <figcaption>
        <h3>{title}</h3>
        <small>{point === null ? 'last' : timeOfDay(times[shown] ?? 0)}</small>
      </figcaption>
      <div class="plot" role="img" aria-label={inWords(title, data, { stacked, format })} ref={place} />
      <ul class="legend">
        {series.map(({ name, tone, values }) => (
          <li key={name}>
            <span class={`key tone-${tone}`} /> {name} <span class="figure">{text(values[shown], format)}</span>
          </li>
        ))}
      </ul>
      <Table data={data} title={title} format={format} />
    </figure>
  )
}

/** Filled while it is open: a page has several, of a hundred rows each. */
function Table({
  title,
  data: { times, series },
  format
}: Pick<ChartProps, 'title' | 'data'> & Pick<ChartLook, 'format'>) {
  const [open, setOpen] = useState(false)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        Figures<span class="hidden"> of {title}</span>
      </summary>
      {open && (
        <table>
          <thead>
            <tr>
              <th scope="col">Time</th>
              {series.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {times
              .map((time, index) => (
                <tr key={time}>
                  <td>
                    <time dateTime={new Date(time).toISOString()} title={new Date(time).toISOString()}>
                      {localTime(time)}
                    </time>
                  </td>
                  {series.map(({ name, values }) => (
                    <td key={name}>{text(values[index], format)}</td>
                  ))}
                </tr>
              ))
              .reverse()}
          </tbody>
        </table>
      )}
    </details>
  )
}

/** Of counts how many there are, of other figures the last one and the highest. */
function inWords(title: string, { series }: ChartData, { stacked, format }: Pick<ChartLook, 'stacked' | 'format'>) {
  const said = series.map(({ name, values }) => {
    const known = values.filter((value) => value !== null)
    if (stacked) return `${known.reduce((sum, value) => sum + value, 0)} ${name}`
    return `${name} ${text(known.at(-1), format)}, at most ${text(known.length === 0 ? null : Math.max(...known), format)}`
  })
  return `${title}: ${said.join('; ')}`
}

function text(value: number | null | undefined, format: (value: number) => string): string {
  return value == null ? NONE : format(value)
}
