/** An explanation from the path to the decision: route, zone, each proof, each clause with every vote. */
import { Badge, type Tone } from '../../parts/badge.tsx'
import { Field } from '../../parts/fields.tsx'
import { reasonText, Votes } from '../../parts/votes.tsx'
import type { AttributeAnswer, Explanation, Outcome, Proof } from './access-api.ts'

export function ExplanationView({ explanation }: { readonly explanation: Explanation }) {
  const { route, zone, caller, proofs, note } = explanation
  const agree = proofs.every(({ status, reason }) => status === proofs[0]?.status && reason === proofs[0]?.reason)
  return (
    <div aria-live="polite">
      <h2>{agree ? <OutcomeLine outcome={explanation} /> : 'It depends on the proof'}</h2>
      {note !== null && <p class="notice warn">{note}</p>}
      <dl class="fields">
        <Field name="Caller">
          {caller.identifier} <span class="muted">{[...caller.roles, ...caller.scopes].join(' ')}</span>
        </Field>
        <Field name="Route">
          {route === null ? (
            <span class="muted">none answers this method and path</span>
          ) : (
            <>
              <code>{route.path}</code> {route.name}
              {Object.entries(route.params).map(([name, value]) => (
                <span class="muted" key={name}>
                  {' '}
                  {name} = {value}
                </span>
              ))}
            </>
          )}
        </Field>
        <Field name="Zone">
          {zone === null ? (
            <span class="muted">none: callers have no identity here</span>
          ) : (
            <>
              <strong>{zone.name}</strong> <code>{zone.pattern}</code> takes{' '}
              {zone.authenticators.join(zone.mode === 'all' ? ' and ' : ', else ')}
            </>
          )}
        </Field>
      </dl>
      {proofs.map((proof) => (
        <ProofView key={`${proof.authenticator} ${proof.token}`} proof={proof} />
      ))}
    </div>
  )
}

const TONES: Readonly<Record<string, Tone>> = { granted: 'good', refused: 'bad' }

function OutcomeLine({ outcome: { decision, status, reason } }: { readonly outcome: Outcome }) {
  return (
    <>
      <Badge tone={TONES[decision] ?? 'warn'}>{decision}</Badge>{' '}
      <span class="muted">
        {[status, reason === null ? null : reasonText(reason)].filter((part) => part !== null).join(', ')}
      </span>
    </>
  )
}

function ProofView({ proof }: { readonly proof: Proof }) {
  return (
    <section class="card">
      <h2>
        {proof.authenticator === null ? 'Without a proof' : `By ${proof.authenticator}`} <OutcomeLine outcome={proof} />
      </h2>
      {proof.clauses.length === 0 && <p class="muted">No vote was taken.</p>}
      {proof.clauses.map(({ granted, attributes }, index) => (
        <div key={attributes.map(({ attribute }) => attribute).join(' ')}>
          <h3>
            Clause {index + 1} of {proof.clauses.length}
            {attributes.length > 1 ? ', one of which suffices' : ''}{' '}
            <Badge tone={granted ? 'good' : 'bad'}>{granted ? 'holds' : 'does not hold'}</Badge>
          </h3>
          {attributes.map((answer) => (
            <AttributeView key={answer.attribute} answer={answer} />
          ))}
        </div>
      ))}
    </section>
  )
}

function AttributeView({ answer: { subject, ...answer } }: { readonly answer: AttributeAnswer }) {
  const of = subject === undefined || subject === null ? null : `of ${subject.param} = ${subject.value}`
  return <Votes {...answer} subject={of} />
}
