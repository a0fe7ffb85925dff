/** A link to the page where a manager of an organisation sees to its endpoints and keys. */
import type { FastifyInstance } from 'fastify'
import { Ctx, controller, type HttpContext, IsGranted, Post } from 'svc-decorators'
import type { PortalLink } from 'svc-events'

@controller('/api/organizations/:organization/portal')
@IsGranted('ORG_EVENTS')
export class Portal {
  readonly #app: FastifyInstance

  constructor(app: FastifyInstance) {
    this.#app = app
  }

  @Post('/')
  async open(@Ctx() { request: { organization } }: HttpContext): Promise<PortalLink> {
    return this.#app.events.portal(organization)
  }
}
