/** Shows what maintenance tasks do in place of what the application does. */
import { place, setQuery } from '../../app/location.ts'

/** Whether the page shows jobs of maintenance tasks. */
export function isSystem(): boolean {
  return place.value.query.get('system') === 'true'
}

export function SystemChoice() {
  const chosen = isSystem()
  return (
    <button
      type="button"
      aria-pressed={chosen}
      onClick={() => setQuery({ system: chosen ? null : 'true', name: null })}
    >
      Maintenance jobs
    </button>
  )
}
