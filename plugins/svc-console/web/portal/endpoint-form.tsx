/** The fields of an endpoint. Events are chosen from those that are declared; patterns that another tool wrote stay. */
import { useState } from 'preact/hooks'
import { useAnswer } from '../app/answer.ts'
import { useAction } from '../parts/action.ts'
import { toggled } from '../parts/choices.tsx'
import { Hinted } from '../parts/hinted.tsx'
import { Notice } from './notice.tsx'
import { type Endpoint, type EndpointChange, readTypes } from './portal-api.ts'
import { say } from './texts.ts'

interface EndpointFormProps {
  /** `null` for a new one. */
  readonly endpoint: Endpoint | null
  readonly onSave: (change: EndpointChange) => Promise<void>
}

const ALL = '*'

export function EndpointForm({ endpoint, onSave }: EndpointFormProps) {
  const [url, setUrl] = useState(endpoint?.url ?? '')
  const [description, setDescription] = useState(endpoint?.description ?? '')
  const [every, setEvery] = useState(endpoint?.events.includes(ALL) ?? true)
  const [chosen, setChosen] = useState<readonly string[]>((endpoint?.events ?? []).filter((name) => name !== ALL))
  const action = useAction()
  const types = useAnswer('types', readTypes)
  const declared = types.value?.map(({ type }) => type) ?? []
  const names = [...declared, ...chosen.filter((name) => !declared.includes(name))]
  const descriptions = new Map(types.value?.map(({ type, description: text }) => [type, text]))

  const submit = (event: Event) => {
    event.preventDefault()
    const written = { url: url.trim(), events: every ? [ALL] : chosen, description: description.trim() || null }
    void action.run(() => onSave(endpoint === null ? written : changesOf(written, endpoint)))
  }
  return (
    <form class="stacked" onSubmit={submit}>
      <Notice error={action.error} />
      <Hinted label={say('url')} hint={say('urlHint')}>
        <input type="url" required value={url} onInput={(event) => setUrl(event.currentTarget.value)} />
      </Hinted>
      <label>
        {say('description')}
        <input maxLength={1000} value={description} onInput={(event) => setDescription(event.currentTarget.value)} />
      </label>
      <fieldset class="portal-choice">
        <legend>{say('events')}</legend>
        <label class="check">
          <input type="radio" name="every" checked={every} onChange={() => setEvery(true)} />
          {say('allEvents')}
        </label>
        <label class="check">
          <input type="radio" name="every" checked={!every} onChange={() => setEvery(false)} />
          {say('chosenEvents')}
        </label>
        {!every && (
          <div class="portal-types">
            <Notice error={types.error} onRetry={types.reload} />
            {names.map((name) => (
              <label key={name} class="check">
                <input
                  type="checkbox"
                  checked={chosen.includes(name)}
                  onChange={() => setChosen(toggled(chosen, name))}
                />
                <span>
                  <code>{name}</code> <span class="muted">{descriptions.get(name) ?? ''}</span>
                </span>
              </label>
            ))}
          </div>
        )}
      </fieldset>
      <div class="buttons end">
        <button type="submit" class="primary" disabled={action.busy}>
          {endpoint === null ? say('addEndpoint') : say('save')}
        </button>
      </div>
    </form>
  )
}

/** What differs. The URL may be refused on its own account, so it is not sent where it stays. */
function changesOf(written: Required<Omit<EndpointChange, 'enabled'>>, endpoint: Endpoint): EndpointChange {
  const sameEvents = [...written.events].sort().join(' ') === [...endpoint.events].sort().join(' ')
  return {
    description: written.description,
    ...(written.url === endpoint.url ? {} : { url: written.url }),
    ...(sameEvents ? {} : { events: written.events })
  }
}
