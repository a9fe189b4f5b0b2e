/**
 * The dashboard interface's endpoints: everything that the two APIs leave to "the dashboard", "the
 * seller panel" and "support".
 */
import { accountEndpoints } from '../dashboard/account-endpoints.ts'
import { controlEndpoints } from '../dashboard/control-endpoints.ts'

export const dashboardEndpoints = { ...accountEndpoints, ...controlEndpoints }
