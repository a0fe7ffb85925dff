/** What the boot warned of: settings that it accepts, and that hardly do what was meant. */
import { useAnswer } from '../../app/answer.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Field } from '../../parts/fields.tsx'
import { readLints } from './access-api.ts'

export function Lints() {
  const { value, error, reload } = useAnswer('lints', readLints)
  return (
    <>
      <ErrorNotice error={error} onRetry={reload} />
      {value?.length === 0 && (
        <EmptyState title="The boot reported no warnings.">
          <p>Unreachable zones and guards that always refuse appear here.</p>
        </EmptyState>
      )}
      {value?.map(({ code, message, at, got, expected, fix }) => (
        <section class="card" key={`${code} ${at} ${message}`}>
          <h2>{message}</h2>
          <dl class="fields">
            <Field name="Code">
              <code>{code}</code>
            </Field>
            <Field name="Where">{at}</Field>
            <Field name="Got">{got}</Field>
            <Field name="Expected">{expected}</Field>
            <Field name="Fix">{fix}</Field>
          </dl>
        </section>
      ))}
    </>
  )
}
