/** The entities: drawn, and in a list beside the drawing; the search marks what it finds in both. */
import { useMemo } from 'preact/hooks'
import { useAnswer } from '../../app/answer.ts'
import { href, place, setQuery } from '../../app/location.ts'
import { useRenewal } from '../../app/renewal.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { type Entity, readCounts, readGraph } from './data-api.ts'
import { EntityGraph } from './entity-graph.tsx'
import { keyOf } from './entity-layout.ts'

export function ModelView() {
  const { value, error, reload } = useAnswer('graph', readGraph)
  const counts = useAnswer('counts', () => readCounts())
  useRenewal(counts.reload)
  const words = place.value.query.get('q') ?? ''
  const entities = value?.entities ?? null
  const found = useMemo(() => (entities === null || words === '' ? null : findIn(entities, words)), [entities, words])
  if (entities === null) return <ErrorNotice error={error} onRetry={reload} />
  if (entities.length === 0) {
    return (
      <EmptyState title="This application has no entities yet.">
        <p>
          Declare one with <code>npx svc create entity</code>.
        </p>
      </EmptyState>
    )
  }
  const listed = found === null ? entities : entities.filter((entity) => found.has(keyOf(entity)))
  return (
    <>
      <label class="search">
        <span class="hidden">Part of the name of an entity or a field</span>
        <input
          type="search"
          data-search
          placeholder="Part of the name of an entity or a field"
          maxLength={200}
          value={words}
          onInput={(event) => setQuery({ q: event.currentTarget.value })}
        />
      </label>
      <ErrorNotice error={counts.error} onRetry={counts.reload} />
      <div class="model-parts">
        <EntityGraph entities={entities} found={found} />
        <nav class="entity-list" aria-label="Entities">
          <p class="muted" role="status">
            {found === null ? `${entities.length} entities` : `${listed.length} of ${entities.length} entities`}
          </p>
          <ul class="things">
            {listed.map((entity) => (
              <Listed
                key={keyOf(entity)}
                entity={entity}
                count={counts.value?.[`${entity.connector}.${entity.name}`]}
              />
            ))}
          </ul>
        </nav>
      </div>
    </>
  )
}

/** @param count `null` where the database cannot be asked, `undefined` before it was */
function Listed({ entity, count }: { readonly entity: Entity; readonly count: number | null | undefined }) {
  return (
    <li>
      <a href={href(['data', 'entities', entity.connector, entity.name])}>{entity.name}</a>
      <span class="muted">{count === undefined ? '' : rowsText(count)}</span>
    </li>
  )
}

export function rowsText(count: number | null): string {
  if (count === null) return 'cannot be counted'
  return `${count.toLocaleString()} ${count === 1 ? 'row' : 'rows'}`
}

function findIn(entities: readonly Entity[], words: string): ReadonlySet<string> {
  const part = words.trim().toLowerCase()
  const has = (text: string | null) => text?.toLowerCase().includes(part) === true
  const matches = ({ name, module, columns }: Entity) =>
    has(name) || has(module) || columns.some((one) => has(one.name))
  return new Set(entities.filter(matches).map(keyOf))
}
