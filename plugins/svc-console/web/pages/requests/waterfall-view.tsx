/** Where the time of a request went: a row for each piece of work, from its start to its end, in the order of their starts. */
import type { WholeRequest } from './requests-api.ts'
import { type Bar, barsOf } from './waterfall.ts'

const WIDTH = 1000

export function Waterfall({ request }: { readonly request: WholeRequest }) {
  const bars = barsOf(request)
  const wholeMs = Math.max(0.001, ...bars.map(({ toMs }) => toMs))
  return (
    <section class="card waterfall" aria-label="Where the time went">
      <ol>
        {bars.map((bar, index) => (
          <Row key={`${index} ${bar.name}`} bar={bar} wholeMs={wholeMs} />
        ))}
      </ol>
    </section>
  )
}

function Row({ bar, wholeMs }: { readonly bar: Bar; readonly wholeMs: number }) {
  const { name, detail, kind, fromMs, toMs, failed, depth } = bar
  const scale = WIDTH / wholeMs
  return (
    <li class={kind}>
      <span class="work" style={{ paddingInlineStart: `${depth * 0.9}rem` }}>
        {name}
        {failed && <span class="badge bad">{kind === 'decision' || kind === 'admission' ? 'refused' : 'failed'}</span>}
        {detail !== null && <code class="statement">{detail}</code>}
      </span>
      <svg viewBox={`0 0 ${WIDTH} 10`} preserveAspectRatio="none" aria-hidden="true">
        <rect
          class={failed ? 'bad' : kind}
          x={fromMs * scale}
          width={Math.max((toMs - fromMs) * scale, 2)}
          y={0}
          height={10}
        />
      </svg>
      <span class="muted">{(toMs - fromMs).toFixed(2)} ms</span>
    </li>
  )
}
