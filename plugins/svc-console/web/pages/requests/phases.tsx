/** How the time of a request went: one bar, a part for each phase. */
import type { WholeRequest } from './requests-api.ts'

const NAMES = {
  admitted: 'hooks and firewall',
  guarded: 'guard',
  parsed: 'body',
  validated: 'validation',
  handled: 'handler'
} as const

export interface PhasePart {
  readonly name: string
  readonly fromMs: number
  readonly toMs: number
}

/** A phase lasts from the end of the one before. What never ended is left out; the rest is the answer. Pure. */
export function partsOf({ phases, durationMs }: Pick<WholeRequest, 'phases' | 'durationMs'>): PhasePart[] {
  let fromMs = 0
  const parts = Object.entries(NAMES).flatMap(([phase, name]) => {
    const end = phases[phase as keyof typeof NAMES]
    if (end === null) return []
    const part = { name, fromMs, toMs: end }
    fromMs = end
    return [part]
  })
  return [...parts, { name: 'answer', fromMs, toMs: Math.max(durationMs, fromMs) }]
}

export function Phases({ request }: { readonly request: WholeRequest }) {
  const parts = partsOf(request)
  const whole = Math.max(parts.at(-1)?.toMs ?? 0, 0.001)
  const words = parts.map(({ name, fromMs, toMs }) => `${name} ${(toMs - fromMs).toFixed(2)} ms`)
  return (
    <figure class="phases">
      <svg viewBox="0 0 1000 20" preserveAspectRatio="none" role="img" aria-label={words.join(', ')}>
        {parts.map(({ name, fromMs, toMs }, index) => (
          <rect
            key={name}
            class={`phase-${index % 6}`}
            x={(fromMs / whole) * 1000}
            width={((toMs - fromMs) / whole) * 1000}
            y={0}
            height={20}
          >
            <title>{words[index]}</title>
          </rect>
        ))}
      </svg>
      <figcaption>
        {parts.map(({ name }, index) => (
          <span key={name}>
            <span class={`key phase-${index % 6}`} aria-hidden="true" /> {words[index]}
          </span>
        ))}
      </figcaption>
    </figure>
  )
}
