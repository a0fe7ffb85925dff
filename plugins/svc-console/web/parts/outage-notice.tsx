/** Which dependency does not answer, and since when. */
import type { ServiceOutage } from '../../src/pages/page-settings.ts'
import { Time } from './time.tsx'

export function OutageNotice({ outages }: { readonly outages: readonly ServiceOutage[] }) {
  return (
    <div class="notice bad" role="status">
      {outages.length === 0 && (
        <p>
          <strong>The application cannot answer now.</strong>
        </p>
      )}
      {outages.map(({ name, since }) => (
        <p key={name}>
          <strong>The {name} does not answer</strong> since <Time at={since} whole />.
        </p>
      ))}
      <p class="muted">This page tries again every few seconds.</p>
    </div>
  )
}
