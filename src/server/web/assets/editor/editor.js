/* CodeMirror 6, MIT licence: see editor.licenses.txt. Built from editor.mjs by `npm run build`. */
import{n as a}from"./core.js";export{a as createEditor};
