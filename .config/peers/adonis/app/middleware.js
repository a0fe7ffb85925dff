/** Middleware of the application: what the starter kit for APIs brings, authentication, and the role of a route. */
import { Bouncer } from '@adonisjs/bouncer'
import { HttpContext } from '@adonisjs/core/http'
import { Logger } from '@adonisjs/core/logger'
import { DENIED, DENIED_HEADERS, recordDenial } from '../../../../test/dist/bench/peers/denials.js'

const hasRole = Bouncer.ability((user, role) => user.roles.includes(role))

export class ContainerBindingsMiddleware {
  handle(ctx, next) {
    ctx.containerResolver.bindValue(HttpContext, ctx)
    ctx.containerResolver.bindValue(Logger, ctx.logger)
    return next()
  }
}

export class ForceJsonResponseMiddleware {
  async handle({ request }, next) {
    request.request.headers.accept = 'application/json'
    return next()
  }
}

export class InitializeBouncerMiddleware {
  handle(ctx, next) {
    ctx.bouncer = new Bouncer(() => ctx.auth.user ?? null, { hasRole }).setContainerResolver(ctx.containerResolver)
    return next()
  }
}

export class AuthMiddleware {
  async handle(ctx, next, { guards }) {
    await ctx.auth.authenticateUsing(guards)
    return next()
  }
}

export class RoleMiddleware {
  async handle({ auth, bouncer, request, response }, next, role) {
    if (await bouncer.allows(hasRole, role)) return next()
    recordDenial(auth.user, role, request.method(), request.url(), request.ip())
    for (const [name, value] of Object.entries(DENIED_HEADERS)) response.header(name, value)
    return response.forbidden(DENIED)
  }
}
