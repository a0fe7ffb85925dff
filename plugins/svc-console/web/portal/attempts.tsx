/** What became of the messages to an endpoint, the newest first, with what was sent and answered; and sending again. */
import { useEffect, useState } from 'preact/hooks'
import { toast } from '../app/toasts.tsx'
import { useAction } from '../parts/action.ts'
import { Badge, type Tone } from '../parts/badge.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { Time } from '../parts/time.tsx'
import { Notice } from './notice.tsx'
import { type AttemptPage, type Delivery, missedSince, readAttempts, resend } from './portal-api.ts'
import { say, type TextName } from './texts.ts'

const OUTCOMES = ['delivered', 'failed', 'retried', 'exhausted', 'abandoned'] as const

const TONES: Readonly<Record<string, Tone>> = { delivered: 'good', retried: 'warn', abandoned: 'plain' }

/** A message that was just sent has ended by then, where its receiver is quick. */
const LOOKS_MS = [700, 2500, 6000]

interface AttemptsProps {
  readonly id: string
  /** Counts the messages that this page had sent. */
  readonly sent: number
  readonly onResent: () => void
}

export function Attempts({ id, sent, onResent }: AttemptsProps) {
  const [outcome, setOutcome] = useState('')
  const [page, setPage] = useState<AttemptPage | null>(null)
  const [replaying, setReplaying] = useState(false)
  const reading = useAction()
  const { busy, error } = reading
  const read = (cursor: string | null) =>
    reading.run(async () => {
      const found = await readAttempts(id, outcome === '' ? {} : { outcome }, cursor)
      setPage((before) => {
        if (cursor === null || before === null) return found
        return { ...found, deliveries: [...before.deliveries, ...found.deliveries], waiting: before.waiting }
      })
    })
  useEffect(() => void read(null), [id, outcome])
  useEffect(() => {
    if (sent === 0) return
    const timers = LOOKS_MS.map((ms) => setTimeout(() => void read(null), ms))
    return () => timers.forEach(clearTimeout)
  }, [sent, outcome])
  const shown = page?.deliveries ?? []
  return (
    <section aria-labelledby="attempts">
      <div class="portal-section">
        <h2 id="attempts">
          {say('attempts')}{' '}
          {page !== null && (page.waiting ?? 0) > 0 && (
            <span class="muted">({say('waiting', { n: page.waiting ?? 0 })})</span>
          )}
        </h2>
        <div class="buttons">
          <label class="portal-filter">
            {say('outcome')}
            <select value={outcome} onChange={(event) => setOutcome(event.currentTarget.value)}>
              <option value="">{say('all')}</option>
              {OUTCOMES.map((name) => (
                <option key={name} value={name}>
                  {say(name)}
                </option>
              ))}
            </select>
          </label>
          <button type="button" onClick={() => setReplaying(true)}>
            {say('resendFailed')}
          </button>
        </div>
      </div>
      <Notice error={error} onRetry={() => void read(null)} />
      {page === null && error === null && <p class="muted">{say('loading')}</p>}
      {page !== null && shown.length === 0 && (
        <EmptyState title={say('noAttempts')}>
          <p class="muted">{say('noAttemptsHint')}</p>
        </EmptyState>
      )}
      <div class="portal-attempts">
        {shown.map((delivery) => (
          <Attempt
            key={`${delivery.messageId} ${delivery.attempt} ${delivery.ts}`}
            id={id}
            delivery={delivery}
            onResent={onResent}
          />
        ))}
      </div>
      {page !== null && page.next !== null && (
        <button type="button" disabled={busy} onClick={() => void read(page.next)}>
          {say('showMore')}
        </button>
      )}
      {replaying && <ReplayDialog id={id} onClose={() => setReplaying(false)} onResent={onResent} />}
    </section>
  )
}

interface AttemptProps {
  readonly id: string
  readonly delivery: Delivery
  readonly onResent: () => void
}

function Attempt({ id, delivery, onResent }: AttemptProps) {
  const { type, ts, status, error, durationMs, attempt, outcome, requestBody, responseBody, messageId } = delivery
  const action = useAction()
  const again = () =>
    void action.run(async () => {
      await resend(id, messageId)
      toast(say('resent'))
      onResent()
    })
  return (
    <details class="portal-attempt">
      <summary>
        <Badge tone={TONES[outcome] ?? 'bad'}>{wordOf(outcome)}</Badge>
        <code>{type}</code>
        <span class="muted portal-when">
          <Time at={ts} />
        </span>
      </summary>
      <p class="muted">
        {[
          status === null ? error : say('answered', { status }),
          say('attempt', { n: attempt }),
          `${durationMs} ms`,
          messageId
        ]
          .filter((part) => part !== null)
          .join(' · ')}
      </p>
      <h3>{say('message')}</h3>
      <pre>{pretty(requestBody)}</pre>
      <h3>{say('answer')}</h3>
      {responseBody === null || responseBody === '' ? (
        <p class="muted">{say('noAnswer')}</p>
      ) : (
        <pre>{pretty(responseBody)}</pre>
      )}
      <Notice error={action.error} />
      <button type="button" disabled={action.busy} onClick={again}>
        {say('resend')}
      </button>
    </details>
  )
}

function wordOf(outcome: string): string {
  return OUTCOMES.some((name) => name === outcome) ? say(outcome as TextName) : outcome
}

export function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

interface ReplayDialogProps {
  readonly id: string
  readonly onClose: () => void
  readonly onResent: () => void
}

const RANGES = [
  [3_600_000, 'hour'],
  [86_400_000, 'day'],
  [604_800_000, 'week']
] as const

function ReplayDialog({ id, onClose, onResent }: ReplayDialogProps) {
  const [range, setRange] = useState<number>(RANGES[1][0])
  const action = useAction()
  const submit = (event: Event) => {
    event.preventDefault()
    void action.run(async () => {
      const missed = await missedSince(id, Date.now() - range)
      // One after the other: what the queue has no room for ends it, and is said.
      for (const messageId of missed.toReversed()) await resend(id, messageId)
      toast(missed.length === 0 ? say('resentNone') : say('resentMany', { n: missed.length }))
      onResent()
      onClose()
    })
  }
  return (
    <Dialog title={say('resendFailed')} onClose={onClose}>
      <form class="stacked" onSubmit={submit}>
        <Notice error={action.error} />
        <p>{say('resendHint')}</p>
        <label>
          {say('since')}
          <select value={range} onChange={(event) => setRange(Number(event.currentTarget.value))}>
            {RANGES.map(([ms, text]) => (
              <option key={text} value={ms}>
                {say(text)}
              </option>
            ))}
          </select>
        </label>
        <div class="buttons end">
          <button type="submit" class="primary" disabled={action.busy}>
            {say('resend')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
