/** The user service: accounts, devices, sessions. */

export { noRooms, type Rooms, roomsThrough } from './directory/rooms.ts';
export { registrationMac } from './registration/mac.ts';
export { startUserService, type UserService, type UserServiceOptions } from './service.ts';
