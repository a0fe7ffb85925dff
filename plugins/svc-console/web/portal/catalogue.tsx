/** The declared events: what they say, an example, and the schema of their data. */
import { useAnswer } from '../app/answer.ts'
import { EmptyState } from '../parts/empty-state.tsx'
import { Notice } from './notice.tsx'
import { type EventType, readTypes } from './portal-api.ts'
import { SectionHead } from './section-head.tsx'
import { say } from './texts.ts'

export function Catalogue() {
  const { value, error, reload } = useAnswer('types', readTypes)
  return (
    <>
      <SectionHead title={say('events')} hint={say('eventsHint')} />
      <Notice error={error} onRetry={reload} />
      {value === null && error === null && <p class="muted">{say('loading')}</p>}
      {value?.length === 0 && <EmptyState title={say('noEvents')} />}
      <div class="portal-attempts">
        {value?.map((event) => (
          <Entry key={event.type} event={event} />
        ))}
      </div>
    </>
  )
}

function Entry({ event: { type, version, description, schema, example } }: { readonly event: EventType }) {
  return (
    <details class="portal-attempt">
      <summary>
        <code>{type}</code>
        <span>{description ?? ''}</span>
        <span class="muted portal-when">{say('version', { n: version })}</span>
      </summary>
      {example != null && (
        <>
          <h2>{say('example')}</h2>
          <pre>{JSON.stringify(example, null, 2)}</pre>
        </>
      )}
      {schema !== null && (
        <>
          <h2>{say('schema')}</h2>
          <pre>{JSON.stringify(schema, null, 2)}</pre>
        </>
      )}
      {example == null && schema === null && <p class="muted">{say('noDetails')}</p>}
    </details>
  )
}
