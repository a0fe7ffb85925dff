/** Roles to write or to choose: what changes is said before it is saved, and a role that nothing asks for as well. */
import { useAnswer } from '../../app/answer.ts'
import { Choices, toggled } from '../../parts/choices.tsx'
import { Hinted } from '../../parts/hinted.tsx'
import { readKnownRoles } from './people-api.ts'

interface RolesFieldProps {
  readonly label: string
  readonly text: string
  /** Those of the user now; of a new one none. */
  readonly before: readonly string[]
  readonly onText: (text: string) => void
}

export function RolesField({ label, text, before, onText }: RolesFieldProps) {
  const known = useAnswer('known roles', readKnownRoles).value
  const roles = rolesOf(text)
  const unknown = known === null ? [] : roles.filter((role) => !known.includes(role))
  return (
    <>
      <Hinted label={label} hint="With a space between. What they inherit is under Access, Zones.">
        <input value={text} onInput={(event) => onText(event.currentTarget.value)} />
      </Hinted>
      <Choices
        title="Roles to choose from"
        options={known?.map((name) => ({ name })) ?? null}
        chosen={roles}
        onToggle={(role) => onText(toggled(roles, role).join(' '))}
      />
      <Difference before={before} after={roles} />
      {unknown.map((role) => (
        <p class="notice warn" key={role}>
          <code>{role}</code> is in no guard and no hierarchy: nothing asks for it. Is it spelt right?
        </p>
      ))}
    </>
  )
}

function Difference({ before, after }: { readonly before: readonly string[]; readonly after: readonly string[] }) {
  const given = after.filter((role) => !before.includes(role))
  const taken = before.filter((role) => !after.includes(role))
  if (given.length + taken.length === 0) return null
  return (
    <p role="status">
      {given.length > 0 && (
        <>
          Gives <code>{given.join(' ')}</code>.{' '}
        </>
      )}
      {taken.length > 0 && (
        <>
          Takes away <code>{taken.join(' ')}</code>.
        </>
      )}
    </p>
  )
}

export function rolesOf(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter((role) => role !== ''))]
}
