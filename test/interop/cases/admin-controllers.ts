/** The controllers of the path cases: each route answers with its template, its parameters and its caller. */
import { type ControllerClass, Ctx, CurrentUser, controller, Get, type HttpContext } from 'svc-decorators'
import type { User } from 'svc-kernel'

@controller('/admin/users')
class AdminUsers {
  @Get()
  list(@Ctx() context: HttpContext, @CurrentUser() user: User): unknown {
    return answer(context, user)
  }

  @Get('/:id')
  one(@Ctx() context: HttpContext, @CurrentUser() user: User): unknown {
    return answer(context, user)
  }
}

@controller('/admin')
class Admin {
  @Get()
  home(@Ctx() context: HttpContext, @CurrentUser() user: User): unknown {
    return answer(context, user)
  }
}

@controller()
class Site {
  @Get('/:tenant/users')
  tenant(@Ctx() context: HttpContext, @CurrentUser() user: User): unknown {
    return answer(context, user)
  }

  @Get('/files/*')
  files(@Ctx() context: HttpContext, @CurrentUser() user: User): unknown {
    return answer(context, user)
  }
}

/** Mounted under a prefix by the cases that ask for one. */
@controller('/in')
export class Inner {
  @Get()
  inside(@Ctx() context: HttpContext, @CurrentUser() user: User): unknown {
    return answer(context, user)
  }
}

export const adminControllers: readonly ControllerClass[] = [Admin, AdminUsers]
export const siteControllers: readonly ControllerClass[] = [Site]

function answer({ request }: HttpContext, user: User): unknown {
  return { route: request.routeOptions.url, params: request.params, who: user.identifier }
}
