/** The domains of an organisation: whether each is proven, by which record, and which provider it requires. */
import { useAnswer } from '../../app/answer.ts'
import { useRenewal } from '../../app/renewal.ts'
import { Badge } from '../../parts/badge.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Field, TextField } from '../../parts/fields.tsx'
import { Time } from '../../parts/time.tsx'
import { readDomains } from './organizations-api.ts'

export function Domains({ id }: { readonly id: string }) {
  const { value, error, reload } = useAnswer(`domains ${id}`, () => readDomains(id))
  useRenewal(reload)
  return (
    <>
      <ErrorNotice error={error} onRetry={reload} />
      {value === null && error === null && <p class="muted loading">Loading …</p>}
      {value?.length === 0 && <EmptyState title="The organisation has claimed no domain." />}
      {value?.map(({ id: domain, domain: name, verified, checkedAt, provider, record }) => (
        <section class="card" key={domain} aria-label={name}>
          <h2>
            {name} {verified ? <Badge tone="good">proven</Badge> : <Badge tone="warn">not proven</Badge>}
          </h2>
          <dl class="fields">
            <Field name="Last checked">
              <Time at={checkedAt} />
            </Field>
            <Field name="Sign-in">{provider === null ? 'any way in' : `at ${provider} alone`}</Field>
            <TextField name="TXT record" text={record.name} />
            <TextField name="Value" text={record.value} />
          </dl>
        </section>
      ))}
    </>
  )
}
