/** The documents that are served: the main one, that of administrators, and those of the options. */
import { stringify } from 'yaml'
import type { Document } from './document/document.ts'
import { type ExampleFault, exampleFaults } from './document/examples.ts'
import type { Selection } from './document/selection.ts'
import type { OpenapiConfig } from './options.ts'

export interface ServedDocument {
  /** Empty for the main one. */
  readonly name: string
  readonly path: string
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly open: boolean
  /** Of those who may read it, if it is not open. */
  readonly role: string
  readonly selection: Selection
}

/** Gives a document, or with `{ yaml: true }` its text in YAML. */
export interface DocumentSource<Described> {
  (): Described
  (asked: { readonly yaml: true }): string
}

/** A document of OpenAPI, with what its examples are worth. */
export interface ApiDocumentSource extends DocumentSource<Document> {
  /** Examples that the schema beside them refuses; formats, such as `email`, are not looked at. */
  exampleFaults(): Promise<readonly ExampleFault[]>
}

export function documentSource<Described>(make: () => Described): DocumentSource<Described> {
  const source = (asked?: { readonly yaml: true }) => (asked?.yaml === true ? stringify(make()) : make())
  return source as DocumentSource<Described>
}

export function apiDocumentSource(make: () => Document): ApiDocumentSource {
  return Object.assign(documentSource(make), { exampleFaults: async () => exampleFaults(make()) })
}

/** Also what `fastify.swagger()` returns. @param open whether everyone may read it */
export function mainDocument(config: OpenapiConfig, open: boolean): ServedDocument {
  const { path, role, include, exclude } = config
  return { name: '', path, open, role, selection: { include, exclude, administration: open ? 'none' : 'included' } }
}

/** The administrators' document has the guard of what it describes; one of the options under its name replaces it. */
export function furtherDocuments({ path, documents }: OpenapiConfig): ServedDocument[] {
  const administrators: ServedDocument = {
    name: 'admin',
    path: `${path}/admin`,
    open: false,
    role: 'ROLE_SVC_ADMIN',
    selection: { administration: 'only' }
  }
  const given = Object.entries(documents).map(
    ([name, { include, exclude, open, ...shown }]): ServedDocument => ({
      ...shown,
      name,
      path: `${path}/${name}`,
      open,
      selection: { include, exclude, administration: open ? 'none' : 'all' }
    })
  )
  return 'admin' in documents ? given : [administrators, ...given]
}
