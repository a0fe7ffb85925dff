/** The rate limits of the application; for one of them, who has spent most of it now. */
import { useAnswer } from '../../app/answer.ts'
import { href } from '../../app/location.ts'
import type { PageProps } from '../../app/page.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Field } from '../../parts/fields.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Callers } from './callers.tsx'
import { type Limit, readLimits } from './limits-api.ts'

export default function LimitsPage({ rest: [name] }: PageProps) {
  return name === undefined ? <LimitList /> : <LimitView key={name} name={name} />
}

function LimitList() {
  const { value, error, reload } = useAnswer('limits', readLimits)
  return (
    <>
      <PageHead title="Limits" />
      <ErrorNotice error={error} onRetry={reload} />
      {value?.limits.length === 0 && (
        <EmptyState title="No route has a rate limit.">
          <p>
            Declare one with <code>@RateLimit</code> on a controller method, or <code>config.limits</code> on a route.
          </p>
        </EmptyState>
      )}
      {value?.limits.map((limit) => (
        <section class="card" key={limit.name}>
          <h2>
            <a href={href(['limits', limit.name])}>{limit.name}</a>
          </h2>
          <Terms limit={limit} />
        </section>
      ))}
    </>
  )
}

function LimitView({ name }: { readonly name: string }) {
  const { value, error, reload } = useAnswer('limits', readLimits)
  const limit = value?.limits.find((each) => each.name === name)
  return (
    <>
      <PageHead title={name} above={{ title: 'Limits', href: href(['limits']) }} />
      <ErrorNotice error={error} onRetry={reload} />
      {value !== null && limit === undefined && <EmptyState title="No limit has this name." />}
      {limit !== undefined && (
        <>
          <section class="card">
            <Terms limit={limit} />
          </section>
          <Callers name={name} burst={limit.burst} store={value?.store ?? ''} />
        </>
      )}
    </>
  )
}

const PERIODS: Readonly<Record<number, string>> = { 1: 'second', 60: 'minute', 3600: 'hour', 86400: 'day' }

function Terms({ limit: { count, perS, burst, onOutage, operations } }: { readonly limit: Limit }) {
  return (
    <dl class="fields">
      <Field name="Rate">
        {count} per {PERIODS[perS] ?? `${perS} s`}
      </Field>
      <Field name="At once">{burst}</Field>
      <Field name="Limits">
        {operations.length === 0 && <span class="muted">what the application spends itself</span>}
        {operations.map(({ name, by }) => (
          <div key={`${name} ${by}`}>
            <code>{name}</code> <span class="muted">by {by}</span>
          </div>
        ))}
      </Field>
      <Field name="In an outage">
        {onOutage === 'refuse' ? 'refuses with 503' : 'counts in each instance by itself'}
      </Field>
    </dl>
  )
}
