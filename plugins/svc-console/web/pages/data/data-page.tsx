/** Data: the model as a drawing, the databases behind it, one entity with its rows. */
import type { PageProps } from '../../app/page.ts'
import { saveFile } from '../../app/save-file.ts'
import { toast } from '../../app/toasts.tsx'
import { useAction } from '../../parts/action.ts'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { Connectors } from './connectors.tsx'
import { readExport } from './data-api.ts'
import { EntityPage } from './entity-page.tsx'
import { ModelView } from './model-view.tsx'

const PARTS = [
  ['entities', 'Entities'],
  ['connectors', 'Connectors']
] as const

export default function DataPage({ rest: [part = 'entities', connector, name, view] }: PageProps) {
  if (part === 'entities' && connector !== undefined && name !== undefined) {
    return <EntityPage key={`${connector} ${name}`} connector={connector} name={name} view={view} />
  }
  const tabs = PARTS.map(([each, title]) => ({
    title,
    segments: each === 'entities' ? ['data'] : ['data', each],
    current: each === part
  }))
  return (
    <>
      <Head />
      <Tabs label="Views of the data" tabs={tabs} />
      {part === 'connectors' ? <Connectors /> : <ModelView />}
    </>
  )
}

const EXPORTS = [
  ['dbml', 'DBML', 'model.dbml', 'text/plain'],
  ['jsonschema', 'JSON Schema', 'model.schema.json', 'application/json']
] as const

function Head() {
  const action = useAction()
  return (
    <>
      <PageHead title="Data">
        {EXPORTS.map(([format, title, file, type]) => (
          <button
            key={format}
            type="button"
            disabled={action.busy}
            onClick={() =>
              void action.run(async () => {
                saveFile(file, new Blob([await readExport(format)], { type }))
                toast(`The model is in ${file}.`)
              })
            }
          >
            Export {title}
          </button>
        ))}
      </PageHead>
      <ErrorNotice error={action.error} />
    </>
  )
}
