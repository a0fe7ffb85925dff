/**
 * Files that belong to organisations go with them: svc-organizations lists them in the export before a deletion, and removes
 * them after the days of grace.
 */
import type { FastifyInstance } from 'fastify'
import { decoratorOf } from 'svc-kernel'
import type { Files } from '../files.ts'
import type { StoredFile } from '../records/stored-file.ts'

/** `fastify.organizations`, as far as files use it. */
interface OrganizationsView {
  describe(
    name: string,
    part: {
      export(organization: { readonly id: string }): Promise<unknown>
      erase(organization: { readonly id: string }): Promise<void>
    }
  ): void
}

const PAGE = 1000

/** Called once all plugins are registered, whichever came first. @param scope the option of svc-files */
export function describeToOrganizations(
  fastify: FastifyInstance,
  files: Files,
  scope: string | false | undefined
): void {
  if (scope !== 'organization') return
  const organizations = decoratorOf(
    fastify as unknown as { readonly organizations: OrganizationsView },
    'organizations'
  )
  organizations?.describe('files', {
    export: ({ id }) => allOf(files.in(id)),
    async erase({ id }) {
      const own = files.in(id)
      for (const file of await allOf(own)) await own.remove(file.id)
    }
  })
}

async function allOf(files: Files): Promise<readonly StoredFile[]> {
  const all: StoredFile[] = []
  for (;;) {
    const last = all.at(-1)
    const page = await files.list({ limit: PAGE, ...(last !== undefined && { after: last.id }) })
    all.push(...page)
    if (page.length < PAGE) return all
  }
}
