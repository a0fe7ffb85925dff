/** What an organisation is: its state and why, and how to suspend, resume and delete it. */
import { counted } from '../../parts/counted.ts'
import { Field, TextField } from '../../parts/fields.tsx'
import { Time } from '../../parts/time.tsx'
import { Deletion } from './deletion.tsx'
import { StateBadge } from './organization-list.tsx'
import type { OrganizationProps } from './organizations-api.ts'
import { Suspension } from './suspension.tsx'

export function Overview({ organization, onChange }: OrganizationProps) {
  const { id, slug, state, members, createdAt, suspendedAt, suspendedReason, deleteAt, exportedAt } = organization
  return (
    <>
      <dl class="fields">
        <Field name="State">
          <StateBadge state={state} />
        </Field>
        {suspendedAt !== null && (
          <Field name="Suspended">
            <Time at={suspendedAt} whole />: {suspendedReason}
          </Field>
        )}
        {deleteAt !== null && (
          <>
            <Field name="Removed">
              <Time at={deleteAt} whole />
            </Field>
            <Field name="Exported">{exportedAt === null ? 'not yet' : <Time at={exportedAt} whole />}</Field>
          </>
        )}
        <Field name="Slug">
          <code>{slug}</code>
        </Field>
        <Field name="Members">{counted(members, 'member')}</Field>
        <Field name="Since">
          <Time at={createdAt} whole />
        </Field>
        <TextField name="Id" text={id} />
      </dl>
      <Suspension organization={organization} onChange={onChange} />
      {organization.sections.deletion && <Deletion organization={organization} onChange={onChange} />}
    </>
  )
}
