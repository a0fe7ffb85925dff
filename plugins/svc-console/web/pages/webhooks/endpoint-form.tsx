/** The fields of an endpoint. What is wrong with them the server says, beside the field that it names. */
import { useState } from 'preact/hooks'
import { useAnswer } from '../../app/answer.ts'
import { ApiError, currentOf } from '../../app/api.ts'
import { useAction } from '../../parts/action.ts'
import { Choices, toggled } from '../../parts/choices.tsx'
import { Conflict } from '../../parts/conflict.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Hinted } from '../../parts/hinted.tsx'
import { type Endpoint, type EndpointChange, readEventTypes } from './webhooks-api.ts'

interface EndpointFormProps {
  /** `null` for a new one. */
  readonly endpoint: Endpoint | null
  /** @param seen version of the endpoint that the change was made from @throws ApiError */
  readonly onSave: (change: EndpointChange, seen: number | null) => Promise<void>
  /** Somebody else changed it, and that is kept. */
  readonly onTheirs?: (endpoint: Endpoint) => void
}

export function EndpointForm({ endpoint, onSave, onTheirs }: EndpointFormProps) {
  const [url, setUrl] = useState(endpoint?.url ?? '')
  const [description, setDescription] = useState(endpoint?.description ?? '')
  const [events, setEvents] = useState((endpoint?.events ?? ['*']).join('\n'))
  const [headers, setHeaders] = useState('')
  const [replaces, setReplaces] = useState(endpoint === null)
  const action = useAction()
  const types = useAnswer('event types', readEventTypes)
  const patterns = events.split(/[\s,]+/).filter((pattern) => pattern !== '')

  const given = headersOf(headers)
  const written: EndpointChange = {
    url: url.trim(),
    events: patterns,
    description: description.trim() === '' ? null : description.trim(),
    ...(replaces && (endpoint !== null || Object.keys(given).length > 0) ? { headers: given } : {})
  }
  const change = endpoint === null ? written : changed(written, endpoint)
  const save = (seen: number | null) => void action.run(() => onSave(change, seen))
  const submit = (event: Event) => {
    event.preventDefault()
    save(endpoint?.updatedAt ?? null)
  }
  const current = currentOf<Endpoint>(action.error)
  const deliverable = types.value?.filter((type) => type.deliverable) ?? null

  return (
    <form class="stacked narrow" onSubmit={submit} noValidate>
      {current === null ? (
        <ErrorNotice error={action.error} />
      ) : (
        <Conflict
          what="The endpoint"
          fields={differing(change, current)}
          busy={action.busy}
          onMine={() => save(current.updatedAt)}
          onTheirs={() => onTheirs?.(current)}
        />
      )}
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
      {types.error === null && (
        <Choices
          title="Events to choose from"
          options={deliverable?.map(({ type, description }) => ({ name: type, description })) ?? null}
          chosen={patterns}
          onToggle={(pattern) => setEvents(toggled(patterns, pattern).join('\n'))}
        />
      )}
      {endpoint !== null && (
        <label class="check">
          <input type="checkbox" checked={replaces} onChange={(event) => setReplaces(event.currentTarget.checked)} />
          Replace the custom headers{endpoint.headers?.length ? ` (now: ${endpoint.headers.join(', ')})` : ''}
        </label>
      )}
      {replaces && (
        <Hinted
          label="Custom headers"
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

const FIELDS = ['url', 'events', 'description'] as const

const textOf = (value: unknown): string => (Array.isArray(value) ? value.join('\n') : String(value ?? ''))

/** What differs from the endpoint that the form was opened with: the rest is not this form's to say. */
function changed(written: EndpointChange, endpoint: Endpoint): EndpointChange {
  const same = FIELDS.filter((name) => textOf(written[name]) === textOf(endpoint[name]))
  return Object.fromEntries(Object.entries(written).filter(([name]) => !same.some((field) => field === name)))
}

function differing(change: EndpointChange, current: Endpoint) {
  return FIELDS.filter((name) => name in change && textOf(change[name]) !== textOf(current[name])).map((name) => ({
    name,
    mine: textOf(change[name]),
    now: textOf(current[name])
  }))
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
