/** The fields of an endpoint. What is wrong with them the server says, beside the field that it names. */
import { useState } from 'preact/hooks'
import { useAnswer } from '../../app/answer.ts'
import { ApiError } from '../../app/api.ts'
import { useAction } from '../../parts/action.ts'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Hinted } from '../../parts/hinted.tsx'
import { type Endpoint, type EndpointChange, type EventType, readEventTypes } from './webhooks-api.ts'

interface EndpointFormProps {
  /** `null` for a new one. */
  readonly endpoint: Endpoint | null
  readonly onSave: (change: EndpointChange) => Promise<void>
}

export function EndpointForm({ endpoint, onSave }: EndpointFormProps) {
  const [url, setUrl] = useState(endpoint?.url ?? '')
  const [description, setDescription] = useState(endpoint?.description ?? '')
  const [events, setEvents] = useState((endpoint?.events ?? ['*']).join('\n'))
  const [headers, setHeaders] = useState('')
  const [replaces, setReplaces] = useState(endpoint === null)
  const action = useAction()
  const types = useAnswer('event types', readEventTypes)
  const patterns = events.split(/[\s,]+/).filter((pattern) => pattern !== '')

  const submit = (event: Event) => {
    event.preventDefault()
    const given = headersOf(headers)
    const change = {
      url: url.trim(),
      events: patterns,
      description: description.trim() === '' ? null : description.trim(),
      ...(replaces && (endpoint !== null || Object.keys(given).length > 0) ? { headers: given } : {})
    }
    void action.run(() => onSave(change))
  }
  const toggle = (pattern: string) => {
    const others = patterns.filter((other) => other !== pattern)
    setEvents((others.length < patterns.length ? others : [...patterns, pattern]).join('\n'))
  }

  return (
    <form class="stacked narrow" onSubmit={submit} noValidate>
      <ErrorNotice error={action.error} />
      <label>
        URL
        <input
          type="url"
          required
          placeholder="https://example.com/webhooks"
          value={url}
          aria-invalid={names(action.error, 'url')}
          onInput={(event) => setUrl(event.currentTarget.value)}
        />
      </label>
      <label>
        Description
        <input
          value={description}
          maxLength={1000}
          aria-invalid={names(action.error, 'description')}
          onInput={(event) => setDescription(event.currentTarget.value)}
        />
      </label>
      <Hinted
        label="Events"
        hint={
          <>
            One a line: <code>*</code> for all, an action, or <code>prefix.*</code>.
          </>
        }
      >
        <textarea
          class="value"
          rows={4}
          value={events}
          aria-invalid={names(action.error, 'events')}
          onInput={(event) => setEvents(event.currentTarget.value)}
        />
      </Hinted>
      <EventPicker types={types.value} error={types.error} chosen={patterns} onToggle={toggle} />
      {endpoint !== null && (
        <label class="check">
          <input type="checkbox" checked={replaces} onChange={(event) => setReplaces(event.currentTarget.checked)} />
          Replace its own headers{endpoint.headers?.length ? ` (now: ${endpoint.headers.join(', ')})` : ''}
        </label>
      )}
      {replaces && (
        <Hinted
          label="Headers of its own"
          hint={<>One a line, sent with every message. Their values are sealed, and never shown again.</>}
        >
          <textarea
            class="value"
            rows={3}
            placeholder="authorization: Bearer …"
            value={headers}
            aria-invalid={names(action.error, 'headers')}
            onInput={(event) => setHeaders(event.currentTarget.value)}
          />
        </Hinted>
      )}
      <div class="buttons">
        <button type="submit" class="primary" disabled={action.busy}>
          {endpoint === null ? 'Register' : 'Save'}
        </button>
      </div>
    </form>
  )
}

interface EventPickerProps {
  /** `null` until they are there. */
  readonly types: readonly EventType[] | null
  readonly error: unknown
  readonly chosen: readonly string[]
  readonly onToggle: (pattern: string) => void
}

function EventPicker({ types, error, chosen, onToggle }: EventPickerProps) {
  const deliverable = types?.filter((type) => type.deliverable) ?? []
  // Events can be written by hand, too.
  if (error !== null || (types !== null && deliverable.length === 0)) return null
  return (
    <details>
      <summary>Events to choose from ({types === null ? '–' : deliverable.length})</summary>
      <ul class="picker">
        {deliverable.map(({ type, description }) => (
          <li key={type}>
            <label class="check">
              <input type="checkbox" checked={chosen.includes(type)} onChange={() => onToggle(type)} />
              <span>
                <code>{type}</code> <span class="muted">{description}</span>
              </span>
            </label>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** `name: value` a line. A line without a colon goes along as a name, for the server to refuse. */
export function headersOf(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return colon === -1 ? [line.trim(), ''] : [line.slice(0, colon).trim(), line.slice(colon + 1).trim()]
    })
  )
}

/** Whether the server's answer is about this field. */
function names(error: unknown, field: string): boolean {
  if (!(error instanceof ApiError)) return false
  const codes: Readonly<Record<string, string>> = {
    SVC_WEBHOOKS_URL_REFUSED: 'url',
    SVC_WEBHOOKS_BAD_EVENTS: 'events',
    SVC_WEBHOOKS_BAD_HEADERS: 'headers',
    SVC_WEBHOOKS_HEADERS_STAY: 'headers'
  }
  return codes[error.code] === field || error.details.some(({ path }) => path.split(/[/.[]/).includes(field))
}
