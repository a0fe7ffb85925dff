/** Deletes an organisation with its days of grace: a job exports its data, another removes it; until then it can be taken back. */
import { useState } from 'preact/hooks'
import { href } from '../../app/location.ts'
import { saveFile } from '../../app/save-file.ts'
import { serves } from '../../app/settings.ts'
import { toast } from '../../app/toasts.tsx'
import { useAction } from '../../parts/action.ts'
import { Confirm } from '../../parts/dialog.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { beginDeletion, cancelDeletion, type OrganizationProps, readExport } from './organizations-api.ts'

/** The kind of job that exports. */
const EXPORT = 'svc.organizations.export'

export function Deletion({ organization: { id, name, slug, deleteAt, exportedAt }, onChange }: OrganizationProps) {
  const [isAsking, setAsking] = useState(false)
  const action = useAction()
  const begin = async () => {
    await beginDeletion(id)
    onChange()
    toast(`${name} is closed, and its data are exported.`)
  }
  const cancel = async () => {
    await cancelDeletion(id)
    onChange()
    toast(`${name} stays.`)
  }
  const download = async () => {
    const archive = await readExport(id)
    saveFile(`${slug}.json`, new Blob([JSON.stringify(archive, null, 2)], { type: 'application/json' }))
  }
  return (
    <section class="card">
      <h2>Deletion</h2>
      <ErrorNotice error={action.error} />
      {deleteAt === null ? (
        <>
          <p class="muted">A job exports the data; when the days of grace are over, they are removed.</p>
          <button type="button" class="danger" disabled={action.busy} onClick={() => setAsking(true)}>
            Delete
          </button>
        </>
      ) : (
        <>
          <p class="muted">The export needs ROLE_SVC_DATA. What was not exported is not removed.</p>
          <div class="buttons">
            <button type="button" disabled={action.busy} onClick={() => void action.run(cancel)}>
              Cancel the deletion
            </button>
            <button
              type="button"
              disabled={action.busy || exportedAt === null}
              onClick={() => void action.run(download)}
            >
              Download the export
            </button>
            {serves('jobs') && (
              <a class="button" href={href(['jobs'], { name: EXPORT })}>
                Its jobs
              </a>
            )}
          </div>
        </>
      )}
      {isAsking && (
        <Confirm
          title={`Delete ${name}?`}
          action="Delete the organisation"
          onClose={() => setAsking(false)}
          onConfirm={() => void action.run(begin)}
        >
          <p>
            Its doors close at once, and its keys end. Until the days of grace are over, you or an owner can cancel it.
          </p>
        </Confirm>
      )}
    </section>
  )
}
