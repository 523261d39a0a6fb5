<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="es" sourcelanguage="en">
<context>
<name />
<message>
<source> · </source>
<comment>between filters</comment>
<translation> · </translation>
</message>
<message>
<source> · </source>
<comment>between parts of a line</comment>
<translation> · </translation>
</message>
<message>
<source>!koi  without      =Koi  exactly      "two words"</source>
<translation>!koi  sin      =Koi  exacto      "dos palabras"</translation>
</message>
<message>
<source>#1234  by its id</source>
<translation>#1234  por su id</translation>
</message>
<message>
<source>&amp;About Pet Store Desktop</source>
<translation>&amp;Acerca de Pet Store Desktop</translation>
</message>
<message>
<source>&amp;Activity</source>
<translation>Ac&amp;tividad</translation>
</message>
<message>
<source>&amp;Back</source>
<translation>&amp;Atrás</translation>
</message>
<message>
<source>&amp;Categories</source>
<translation>&amp;Categorías</translation>
</message>
<message>
<source>&amp;Columns</source>
<translation>&amp;Columnas</translation>
</message>
<message>
<source>&amp;Compare two days</source>
<translation>Compar&amp;ar dos días</translation>
</message>
<message>
<source>&amp;Copy</source>
<translation>&amp;Copiar</translation>
</message>
<message>
<source>&amp;Copy as picture and numbers</source>
<translation>&amp;Copiar como imagen y números</translation>
</message>
<message>
<source>&amp;Copy diagnostics</source>
<translation>&amp;Copiar el diagnóstico</translation>
</message>
<message>
<source>&amp;Delete</source>
<translation>Eli&amp;minar</translation>
</message>
<message>
<source>&amp;Delete this view</source>
<translation>&amp;Eliminar esta vista</translation>
</message>
<message>
<source>&amp;Details</source>
<translation>D&amp;etalles</translation>
</message>
<message>
<source>&amp;Edit</source>
<translation>&amp;Edición</translation>
</message>
<message>
<source>&amp;Edit value</source>
<translation>&amp;Editar valor</translation>
</message>
<message>
<source>&amp;Edit…</source>
<translation>&amp;Editar…</translation>
</message>
<message>
<source>&amp;Export this list…</source>
<translation>&amp;Exportar esta lista…</translation>
</message>
<message>
<source>&amp;Export views…</source>
<translation>E&amp;xportar vistas…</translation>
</message>
<message>
<source>&amp;File</source>
<translation>Arc&amp;hivo</translation>
</message>
<message>
<source>&amp;Filter</source>
<translation>&amp;Filtrar</translation>
</message>
<message>
<source>&amp;Fit columns</source>
<translation>A&amp;justar columnas</translation>
</message>
<message>
<source>&amp;Forward</source>
<translation>A&amp;delante</translation>
</message>
<message>
<source>&amp;Go to its pet</source>
<translation>I&amp;r a su mascota</translation>
</message>
<message>
<source>&amp;Help</source>
<translation>A&amp;yuda</translation>
</message>
<message>
<source>&amp;History</source>
<translation>&amp;Historial</translation>
</message>
<message>
<source>&amp;Import views…</source>
<translation>&amp;Importar vistas…</translation>
</message>
<message>
<source>&amp;Inventory</source>
<translation>&amp;Inventario</translation>
</message>
<message>
<source>&amp;Keys and marks</source>
<translation>&amp;Teclas y marcas</translation>
</message>
<message>
<source>&amp;Labels of what was counted…</source>
<translation>&amp;Etiquetas de lo contado…</translation>
</message>
<message>
<source>&amp;Leave out or include</source>
<translation>&amp;Omitir o incluir</translation>
</message>
<message>
<source>&amp;Manual</source>
<translation>&amp;Manual</translation>
</message>
<message>
<source>&amp;Mark complete</source>
<translation>Marcar como co&amp;mpletado</translation>
</message>
<message>
<source>&amp;Minimum stock…</source>
<translation>Stock mí&amp;nimo…</translation>
</message>
<message>
<source>&amp;Next tab</source>
<translation>Pestaña si&amp;guiente</translation>
</message>
<message>
<source>&amp;Note…</source>
<translation>&amp;Nota…</translation>
</message>
<message>
<source>&amp;Open this count again</source>
<translation>&amp;Reabrir este recuento</translation>
</message>
<message>
<source>&amp;Operations…</source>
<translation>Operacio&amp;nes…</translation>
</message>
<message>
<source>&amp;Orders</source>
<translation>&amp;Pedidos</translation>
</message>
<message>
<source>&amp;Paste</source>
<translation>Peg&amp;ar</translation>
</message>
<message>
<source>&amp;Pets</source>
<translation>Ma&amp;scotas</translation>
</message>
<message>
<source>&amp;Put away</source>
<translation>&amp;Ocultar</translation>
</message>
<message>
<source>&amp;Quit</source>
<translation>&amp;Salir</translation>
</message>
<message>
<source>&amp;Redo</source>
<translation>&amp;Rehacer</translation>
</message>
<message>
<source>&amp;Redo {what}</source>
<translation>&amp;Rehacer: {what}</translation>
</message>
<message>
<source>&amp;Rename this view…</source>
<translation>Re&amp;nombrar esta vista…</translation>
</message>
<message>
<source>&amp;Report…</source>
<translation>In&amp;forme…</translation>
</message>
<message>
<source>&amp;Reset columns</source>
<translation>&amp;Restablecer columnas</translation>
</message>
<message>
<source>&amp;Save view…</source>
<translation>&amp;Guardar vista…</translation>
</message>
<message>
<source>&amp;Shop</source>
<translation>Tien&amp;da</translation>
</message>
<message>
<source>&amp;Show them</source>
<translation>&amp;Mostrar</translation>
</message>
<message>
<source>&amp;Show these rows</source>
<translation>&amp;Mostrar estas filas</translation>
</message>
<message>
<source>&amp;Today</source>
<translation>Ho&amp;y</translation>
</message>
<message>
<source>&amp;Undo</source>
<translation>&amp;Deshacer</translation>
</message>
<message>
<source>&amp;Undo {what}</source>
<translation>&amp;Deshacer: {what}</translation>
</message>
<message>
<source>&amp;Undo…</source>
<translation>&amp;Deshacer…</translation>
</message>
<message>
<source>&amp;View</source>
<translation>&amp;Ver</translation>
</message>
<message>
<source>(empty)</source>
<translation>(vacío)</translation>
</message>
<message>
<source>(no name)</source>
<translation>(sin nombre)</translation>
</message>
<message>
<source>*</source>
<comment>marks a date without time zone</comment>
<translation>*</translation>
</message>
<message>
<source>+1 adds, −1 subtracts, 2 sets</source>
<translation>+1 suma, −1 resta, 2 fija</translation>
</message>
<message>
<source>+12 adds, −3 subtracts, 40 or =40 sets</source>
<translation>+12 suma, −3 resta, 40 o =40 fija</translation>
</message>
<message>
<source>+N books in, -N out, and =N counts; N in digits only</source>
<translation>+N da entrada, -N da salida y =N registra lo contado; N, solo con cifras</translation>
</message>
<message numerus="yes">
<source>+{n} pieces</source>
<translation>
<numerusform>+{n} unidad</numerusform>
<numerusform>+{n} unidades</numerusform>
</translation>
</message>
<message>
<source>, </source>
<translation>, </translation>
</message>
<message>
<source>, </source>
<comment>between names</comment>
<translation>, </translation>
</message>
<message>
<source>, </source>
<comment>between parts of a line</comment>
<translation>, </translation>
</message>
<message>
<source>--yes would be refused: {why}</source>
<translation>--yes se rechazaría: {why}</translation>
</message>
<message>
<source>0 requests</source>
<translation>0 solicitudes</translation>
</message>
<message>
<source>1 or 2 requests each. Ctrl+Z undoes it; of a deleted order, only until it is sent.</source>
<translation>1 o 2 peticiones cada uno. Control+Z lo deshace; en un pedido eliminado, solo mientras no se haya enviado.</translation>
</message>
<message>
<source>1 request</source>
<translation>1 solicitud</translation>
</message>
<message>
<source>5   !5   10|12</source>
<translation>5   !5   10|12</translation>
</message>
<message>
<source>; </source>
<comment>between names that have commas</comment>
<translation>; </translation>
</message>
<message>
<source>=  empty      !=  not empty</source>
<translation>=  vacío      !=  no vacío</translation>
</message>
<message>
<source>= {result}</source>
<translation>= {result}</translation>
</message>
<message>
<source>&gt;10   &gt;=10   &lt;{n}   10..20</source>
<translation>&gt;10   &gt;=10   &lt;{n}   10..20</translation>
</message>
<message>
<source>?</source>
<comment>in place of the name of a record that is not there</comment>
<translation>?</translation>
</message>
<message>
<source>A cell of the row that begins in line {n} has no end, or is too long. A quotation mark may be missing. Nothing was imported.</source>
<translation>Una celda de la fila que empieza en la línea {n} no tiene fin o es demasiado larga. Puede que falten unas comillas. No se ha importado nada.</translation>
</message>
<message>
<source>A change belongs to the day on which it was first seen. What changed and changed back is not counted.</source>
<translation>Un cambio corresponde al día en que se vio por primera vez. No se cuenta lo que cambió y volvió a su valor.</translation>
</message>
<message>
<source>A code is remembered when you scan it and choose its pet. Our own labels and ids need none of this.</source>
<translation>Un código se recuerda cuando se escanea y se elige su mascota. Las etiquetas propias y los ids no lo necesitan.</translation>
</message>
<message>
<source>A damaged file was set aside: {file}.</source>
<translation>Se ha apartado un archivo dañado: {file}.</translation>
</message>
<message>
<source>A day, such as {example} or tomorrow; the time stays</source>
<translation>Un día, como {example} o «mañana»; la hora se conserva</translation>
</message>
<message>
<source>A few words; may be empty.</source>
<translation>Unas palabras; puede quedar vacío.</translation>
</message>
<message>
<source>A field that is needed to tell is a guess by its name. Choose its name first (File &gt; Operations &gt; Fields).</source>
<translation>Un campo necesario para saberlo se ha deducido por su nombre. Elija antes el nombre (Archivo &gt; Operaciones &gt; Campos).</translation>
</message>
<message>
<source>A file of the program</source>
<translation>Un archivo del programa</translation>
</message>
<message>
<source>A file or an address, if the service publishes none.</source>
<translation>Un archivo o una dirección, si el servicio no publica ninguno.</translation>
</message>
<message>
<source>A file with certificates that are trusted for this shop beside the system’s.</source>
<translation>Un archivo con certificados en los que se confía para esta tienda, además de los del sistema.</translation>
</message>
<message>
<source>A file, an address, or a profile’s name, such as rails. Empty: the one that the service publishes.</source>
<translation>Un archivo, una dirección o el nombre de un perfil, como rails. Vacío: el que publica el servicio.</translation>
</message>
<message>
<source>A key that you enter is held in memory for this run, and is in no file.</source>
<translation>La clave que introduzca se mantiene en memoria durante esta sesión y no se guarda en ningún archivo.</translation>
</message>
<message>
<source>A network folder can lose saved changes, and two computers can use the same files at once.</source>
<translation>Una carpeta de red puede perder cambios guardados, y dos equipos pueden usar los mismos archivos a la vez.</translation>
</message>
<message>
<source>A new pet has no stock entry yet: leave this cell empty.</source>
<translation>Una mascota nueva aún no tiene ficha de stock: deje esta celda vacía.</translation>
</message>
<message>
<source>A pasted line was left out: {line}</source>
<translation>Se ha omitido una línea pegada: {line}</translation>
</message>
<message>
<source>A pause or a ban by the service stays until it is over.</source>
<translation>Una pausa o una suspensión del servicio se mantiene hasta que termine.</translation>
</message>
<message>
<source>A pet belongs to a category: add the first one here.</source>
<translation>Cada mascota pertenece a una categoría: añada aquí la primera.</translation>
</message>
<message>
<source>A proxy or a sign-in page may stand in between: open the address in a browser to see what answers.</source>
<translation>Puede haber de por medio un proxy o una página de inicio de sesión: abra la dirección en un navegador para ver qué responde.</translation>
</message>
<message>
<source>A scan adds 1; a number and Enter sets how many. Ctrl+Z takes the last one back.</source>
<translation>Cada lectura suma 1; un número e Intro fijan la cantidad. Control+Z deshace la última.</translation>
</message>
<message>
<source>A scan adds 1; a number and Enter sets it.
The next scan commits.</source>
<translation>Cada lectura suma 1; un número e Intro la fijan.
La siguiente lectura la confirma.</translation>
</message>
<message>
<source>A scanner works wherever you are: its pet’s stock opens for the number.</source>
<translation>Un lector funciona dondequiera que esté: se abre el stock de su mascota para el número.</translation>
</message>
<message>
<source>A spreadsheet rounded this number. Format the column as text, and enter it again.</source>
<translation>Una hoja de cálculo redondeó este número. Dé a la columna formato de texto e introdúzcalo de nuevo.</translation>
</message>
<message>
<source>A stock entry comes with its pet: add the pet.</source>
<translation>La ficha de stock se crea con su mascota: añada la mascota.</translation>
</message>
<message>
<source>A stock is low when it is at or below its minimum; without one, nothing is ever low.</source>
<translation>El stock es bajo cuando está en su mínimo o por debajo; sin un mínimo, nunca lo es.</translation>
</message>
<message>
<source>A web page came back instead of data.</source>
<translation>Ha llegado una página web en lugar de datos.</translation>
</message>
<message>
<source>A whole shop, kept on this computer: searched as you type, offline too.</source>
<translation>Una tienda entera, guardada en este equipo: se busca mientras escribe, también sin conexión.</translation>
</message>
<message>
<source>A window of its own opens, on a copy of {shop} as it is here. Nothing in it reaches the shop.</source>
<translation>Se abre una ventana aparte, con una copia de {shop} tal como está aquí. Nada de lo que se haga en ella llega a la tienda.</translation>
</message>
<message>
<source>About Pet Store Desktop</source>
<translation>Acerca de Pet Store Desktop</translation>
</message>
<message>
<source>Activity</source>
<translation>Actividad</translation>
</message>
<message>
<source>Add a byte order mark, so that Excel reads UTF-8</source>
<translation>Añadir una marca de orden de bytes, para que Excel lea UTF-8</translation>
</message>
<message>
<source>Add a category</source>
<translation>Añadir una categoría</translation>
</message>
<message>
<source>Add a pet</source>
<translation>Añadir una mascota</translation>
</message>
<message>
<source>Add an order</source>
<translation>Añadir un pedido</translation>
</message>
<message>
<source>Add category</source>
<translation>Añadir categoría</translation>
</message>
<message>
<source>Add pets</source>
<translation>Añadir mascotas</translation>
</message>
<message numerus="yes">
<source>Add them</source>
<translation>
<numerusform>Añadirla</numerusform>
<numerusform>Añadirlas</numerusform>
</translation>
</message>
<message numerus="yes">
<source>Add them again</source>
<translation>
<numerusform>Añadirla de nuevo</numerusform>
<numerusform>Añadirlas de nuevo</numerusform>
</translation>
</message>
<message numerus="yes">
<source>Add {n}</source>
<translation>
<numerusform>Añadir {n}</numerusform>
<numerusform>Añadir {n}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>Add {n} pets</source>
<translation>
<numerusform>Añadir {n} mascota</numerusform>
<numerusform>Añadir {n} mascotas</numerusform>
</translation>
</message>
<message>
<source>Add {things}</source>
<translation>Añadir {things}</translation>
</message>
<message>
<source>Adding categories</source>
<translation>Alta de categorías</translation>
</message>
<message>
<source>Adding orders</source>
<translation>Alta de pedidos</translation>
</message>
<message>
<source>Adding pets</source>
<translation>Alta de mascotas</translation>
</message>
<message>
<source>Address</source>
<translation>Dirección</translation>
</message>
<message>
<source>Address of the service</source>
<translation>Dirección del servicio</translation>
</message>
<message>
<source>After each code</source>
<translation>Después de cada código</translation>
</message>
<message>
<source>All</source>
<translation>Todas</translation>
</message>
<message>
<source>All categories</source>
<translation>Todas las categorías</translation>
</message>
<message>
<source>All files (*)</source>
<translation>Todos los archivos (*)</translation>
</message>
<message>
<source>All in Activity</source>
<translation>Todo en Actividad</translation>
</message>
<message>
<source>All orders</source>
<translation>Todos los pedidos</translation>
</message>
<message>
<source>All other settings and connections are used. The data of your shops is still here.</source>
<translation>Se usan todos los demás ajustes y conexiones. Los datos de sus tiendas siguen aquí.</translation>
</message>
<message>
<source>All others are shown.</source>
<translation>Todos los demás se muestran.</translation>
</message>
<message>
<source>All pets</source>
<translation>Todas las mascotas</translation>
</message>
<message>
<source>All sent, and undone since.</source>
<translation>Todo enviado y deshecho después.</translation>
</message>
<message>
<source>All stock</source>
<translation>Todo el stock</translation>
</message>
<message>
<source>All stock has a pet</source>
<translation>Todo el stock tiene mascota</translation>
</message>
<message>
<source>All this is in this file, and the same beside it as JSON:</source>
<translation>Todo esto está en este archivo y, junto a él, lo mismo en JSON:</translation>
</message>
<message>
<source>All this is written to a file in {folder} first.</source>
<translation>Antes, todo esto se guarda en un archivo de la carpeta {folder}.</translation>
</message>
<message>
<source>All times shown are this computer’s.</source>
<translation>Todas las horas mostradas son las de este equipo.</translation>
</message>
<message>
<source>All undone, never sent.</source>
<translation>Todo deshecho, sin llegar a enviarse.</translation>
</message>
<message numerus="yes">
<source>All undone: {sent} after they were sent, {n} before.</source>
<translation>
<numerusform>Todo deshecho: {sent} tras enviarse, {n} antes.</numerusform>
<numerusform>Todo deshecho: {sent} tras enviarse, {n} antes.</numerusform>
</translation>
</message>
<message>
<source>All your changes there are sent.</source>
<translation>Todos sus cambios en esta tienda están enviados.</translation>
</message>
<message>
<source>All {things} were searched.</source>
<translation>Se ha buscado en un total de {things}.</translation>
</message>
<message>
<source>All: {rows}</source>
<translation>Todo: {rows}</translation>
</message>
<message>
<source>Already has this value: costs nothing</source>
<translation>Ya tiene este valor: no cuesta nada</translation>
</message>
<message>
<source>Amber</source>
<translation>Ámbar</translation>
</message>
<message>
<source>An order stays with its pet.</source>
<translation>La mascota de un pedido no se puede cambiar.</translation>
</message>
<message>
<source>Animations</source>
<translation>Animaciones</translation>
</message>
<message>
<source>Another connection has this name; choose another.</source>
<translation>Otra conexión tiene este nombre; elija otro.</translation>
</message>
<message>
<source>Another value</source>
<translation>Otro valor</translation>
</message>
<message>
<source>Another window uses this data folder.</source>
<translation>Otra ventana usa esta carpeta de datos.</translation>
</message>
<message>
<source>Answer</source>
<translation>Respuesta</translation>
</message>
<message>
<source>Any day</source>
<translation>Cualquier día</translation>
</message>
<message>
<source>Any status</source>
<translation>Cualquier estado</translation>
</message>
<message>
<source>As here: {limits}</source>
<translation>Como aquí: {limits}</translation>
</message>
<message>
<source>As many as in stock</source>
<translation>Tantas como hay en stock</translation>
</message>
<message>
<source>As many as received</source>
<translation>Tantas como se han recibido</translation>
</message>
<message>
<source>As seen {time}</source>
<translation>Visto: {time}</translation>
</message>
<message>
<source>Ask once a week</source>
<translation>Comprobar una vez por semana</translation>
</message>
<message>
<source>Ask the proxy’s administrator which certificate it needs.</source>
<translation>Pregunte al administrador del proxy qué certificado necesita.</translation>
</message>
<message>
<source>Ask the proxy’s administrator, or exclude this service (NO_PROXY).</source>
<translation>Consulte al administrador del proxy o excluya este servicio (NO_PROXY).</translation>
</message>
<message>
<source>Ask the proxy’s administrator.</source>
<translation>Consulte al administrador del proxy.</translation>
</message>
<message>
<source>Ask the service’s provider for a newer one, or choose another document.</source>
<translation>Pida uno más reciente al proveedor del servicio o elija otro documento.</translation>
</message>
<message>
<source>Ask the service’s provider for the permission, or use another key.</source>
<translation>Pida el permiso al proveedor del servicio o use otra clave.</translation>
</message>
<message>
<source>Ask the service’s provider to allow it, or use another key.</source>
<translation>Pida al proveedor del servicio que lo permita, o use otra clave.</translation>
</message>
<message>
<source>Ask the service’s provider to let this key read, or use another key.</source>
<translation>Pida al proveedor del servicio que permita leer con esta clave, o use otra.</translation>
</message>
<message>
<source>Ask the service’s provider.</source>
<translation>Consulte al proveedor del servicio.</translation>
</message>
<message>
<source>Ask the service’s provider. If it is a mistake, end the pause in the window: Shop &gt; Resume now. A key that resumes too early may be banned.</source>
<translation>Consulte al proveedor del servicio. Si es un error, termine la pausa en la ventana: Tienda &gt; Reanudar ahora. Una clave que reanuda demasiado pronto puede quedar suspendida.</translation>
</message>
<message>
<source>Asking the service…</source>
<translation>Consultando al servicio…</translation>
</message>
<message numerus="yes">
<source>At least {n}: there may be more that were not read</source>
<translation>
<numerusform>Al menos {n}: puede haber más que no se han leído</numerusform>
<numerusform>Al menos {n}: puede haber más que no se han leído</numerusform>
</translation>
</message>
<message>
<source>At most {n} cells can be changed at once.</source>
<translation>Se pueden modificar como máximo {n} celdas a la vez.</translation>
</message>
<message>
<source>At this address the service has no such list: {said}.</source>
<translation>En esta dirección, el servicio no tiene esa lista: {said}.</translation>
</message>
<message>
<source>Automatic</source>
<translation>Automático</translation>
</message>
<message>
<source>Automatic ({endpoint})</source>
<translation>Automático ({endpoint})</translation>
</message>
<message>
<source>Automatic ({name})</source>
<translation>Automático ({name})</translation>
</message>
<message>
<source>Back</source>
<translation>Atrás</translation>
</message>
<message>
<source>Bar code scanner</source>
<translation>Lector de códigos de barras</translation>
</message>
<message>
<source>Bar codes</source>
<translation>Códigos de barras</translation>
</message>
<message>
<source>Bar codes (*.json)</source>
<translation>Códigos de barras (*.json)</translation>
</message>
<message>
<source>Bar codes…</source>
<translation>Códigos de barras…</translation>
</message>
<message>
<source>Bar |</source>
<translation>Barra |</translation>
</message>
<message>
<source>Bars of {width} mm: hard to scan. Choose QR, or larger labels.</source>
<translation>Barras de {width} mm: difíciles de escanear. Elija QR o etiquetas más grandes.</translation>
</message>
<message>
<source>Bars of {width} mm: safe for hand scanners</source>
<translation>Barras de {width} mm: aptas para lectores de mano</translation>
</message>
<message>
<source>Batch</source>
<translation>Lote</translation>
</message>
<message>
<source>Beep</source>
<translation>Pitido</translation>
</message>
<message>
<source>Before</source>
<translation>Antes</translation>
</message>
<message>
<source>Before each code</source>
<translation>Antes de cada código</translation>
</message>
<message>
<source>Before: {day}</source>
<translation>Antes: {day}</translation>
</message>
<message>
<source>Begun {began}, closed {ended}.</source>
<translation>Inicio: {began}; cierre: {ended}.</translation>
</message>
<message>
<source>Begun {time}.</source>
<translation>Inicio: {time}.</translation>
</message>
<message>
<source>Below zero</source>
<translation>Negativo</translation>
</message>
<message>
<source>Big5, Chinese</source>
<translation>Big5, chino</translation>
</message>
<message>
<source>Blind count</source>
<translation>Recuento a ciegas</translation>
</message>
<message>
<source>Blue</source>
<translation>Azul</translation>
</message>
<message>
<source>Book</source>
<translation>Registrar</translation>
</message>
<message>
<source>Book the count</source>
<translation>Registrar el recuento</translation>
</message>
<message>
<source>Book the count: {what}</source>
<translation>Registrar el recuento: {what}</translation>
</message>
<message numerus="yes">
<source>Book {n} lines</source>
<translation>
<numerusform>Registrar {n} línea</numerusform>
<numerusform>Registrar {n} líneas</numerusform>
</translation>
</message>
<message>
<source>Booked</source>
<translation>Registrado</translation>
</message>
<message>
<source>Booked in or out</source>
<translation>Entradas o salidas</translation>
</message>
<message>
<source>Browse…</source>
<translation>Examinar…</translation>
</message>
<message>
<source>Built with</source>
<translation>Creado con</translation>
</message>
<message>
<source>By</source>
<translation>Quién</translation>
</message>
<message>
<source>C&amp;hanges</source>
<translation>&amp;Cambios</translation>
</message>
<message>
<source>C&amp;heck the connection…</source>
<translation>Comprobar la cone&amp;xión…</translation>
</message>
<message>
<source>C&amp;hoose a view…</source>
<translation>E&amp;legir una vista…</translation>
</message>
<message>
<source>C&amp;lear filter</source>
<translation>&amp;Quitar filtro</translation>
</message>
<message>
<source>CA file (optional)</source>
<translation>Archivo de CA (opcional)</translation>
</message>
<message>
<source>Cancel</source>
<translation>Cancelar</translation>
</message>
<message>
<source>Cancel an order</source>
<translation>Cancelar un pedido</translation>
</message>
<message>
<source>Cancel or&amp;der…</source>
<translation>Cancelar pe&amp;dido…</translation>
</message>
<message>
<source>Cancelling orders</source>
<translation>Cancelación de pedidos</translation>
</message>
<message>
<source>Cannot be redone: {what} ({why})</source>
<translation>No se puede rehacer: {what} ({why})</translation>
</message>
<message>
<source>Cannot be undone: {what} ({why})</source>
<translation>No se puede deshacer: {what} ({why})</translation>
</message>
<message>
<source>Categories</source>
<translation>Categorías</translation>
</message>
<message>
<source>Categories changed today</source>
<translation>Categorías modificadas hoy</translation>
</message>
<message>
<source>Categories that need attention</source>
<translation>Categorías que requieren atención</translation>
</message>
<message>
<source>Category</source>
<translation>Categoría</translation>
</message>
<message>
<source>Category id</source>
<translation>Id de categoría</translation>
</message>
<message>
<source>Certificate</source>
<translation>Certificado</translation>
</message>
<message>
<source>Certificates</source>
<translation>Certificados</translation>
</message>
<message>
<source>Certificates (*.pem *.crt *.cer)</source>
<translation>Certificados (*.pem *.crt *.cer)</translation>
</message>
<message>
<source>Certificates to trust, if your company signs its own.</source>
<translation>Certificados de confianza, si su empresa firma los suyos.</translation>
</message>
<message>
<source>Change</source>
<translation>Cambio</translation>
</message>
<message>
<source>Change &amp;key…</source>
<translation>Cam&amp;biar la clave…</translation>
</message>
<message>
<source>Change a category</source>
<translation>Modificar una categoría</translation>
</message>
<message>
<source>Change a pet</source>
<translation>Modificar una mascota</translation>
</message>
<message>
<source>Change an order</source>
<translation>Modificar un pedido</translation>
</message>
<message>
<source>Change it and send it again, or discard it.</source>
<translation>Modifíquelo y envíelo de nuevo, o descártelo.</translation>
</message>
<message>
<source>Change key…</source>
<translation>Cambiar la clave…</translation>
</message>
<message>
<source>Change stock</source>
<translation>Modificar el stock</translation>
</message>
<message>
<source>Change the category of {things}</source>
<translation>Cambiar la categoría de {things}</translation>
</message>
<message>
<source>Change the description of {things}</source>
<translation>Cambiar la descripción de {things}</translation>
</message>
<message>
<source>Change the line, or choose another profile. The manual says what one may say.</source>
<translation>Cambie la línea o elija otro perfil. El manual dice qué puede contener.</translation>
</message>
<message>
<source>Change the quantity of {things}</source>
<translation>Cambiar la cantidad de {things}</translation>
</message>
<message>
<source>Change the ship date of {things}</source>
<translation>Cambiar la fecha de envío de {things}</translation>
</message>
<message>
<source>Change the state of {things}</source>
<translation>Cambiar la situación de {things}</translation>
</message>
<message>
<source>Change the status of {things}</source>
<translation>Cambiar el estado de {things}</translation>
</message>
<message>
<source>Change the stock of {things}</source>
<translation>Cambiar el stock de {things}</translation>
</message>
<message>
<source>Change this size…</source>
<translation>Cambiar este tamaño…</translation>
</message>
<message numerus="yes">
<source>Change {n}</source>
<translation>
<numerusform>Modificar {n}</numerusform>
<numerusform>Modificar {n}</numerusform>
</translation>
</message>
<message>
<source>Change {things}</source>
<translation>Modificar {things}</translation>
</message>
<message>
<source>Changed about when it was counted: recount or decide</source>
<translation>Modificado hacia la hora del recuento: volver a contar o decidir</translation>
</message>
<message>
<source>Changed between {since} and {time}</source>
<translation>Modificado entre el {since} y el {time}</translation>
</message>
<message>
<source>Changed elsewhere meanwhile: {theirs}. Nothing was overwritten.</source>
<translation>Modificado entretanto en otro lugar: {theirs}. No se ha sobrescrito nada.</translation>
</message>
<message>
<source>Changed meanwhile: left out</source>
<translation>Modificado entretanto: omitido</translation>
</message>
<message>
<source>Changed on this computer since it was counted: recount or decide</source>
<translation>Modificado en este equipo desde el recuento: volver a contar o decidir</translation>
</message>
<message>
<source>Changed on this computer since: recount or decide</source>
<translation>Modificado en este equipo desde entonces: volver a contar o decidir</translation>
</message>
<message>
<source>Changed today</source>
<translation>Modificadas hoy</translation>
</message>
<message>
<source>Changed today</source>
<comment>a record</comment>
<translation>Modificado hoy</translation>
</message>
<message>
<source>Changes</source>
<translation>Cambios</translation>
</message>
<message>
<source>Changes between the two moments</source>
<translation>Cambios entre los dos momentos</translation>
</message>
<message>
<source>Changes from {then} to {now}</source>
<translation>Cambios del {then} al {now}</translation>
</message>
<message>
<source>Changes of this record: its name or id</source>
<translation>Cambios de este registro: su nombre o id</translation>
</message>
<message>
<source>Changes wait for the old address; send or discard them first.</source>
<translation>Hay cambios en espera para la dirección anterior; envíelos o descártelos antes.</translation>
</message>
<message>
<source>Changes wait: the rest of today’s requests is kept for you</source>
<translation>Los cambios esperan: el resto de las solicitudes de hoy se reserva para usted</translation>
</message>
<message>
<source>Changing categories</source>
<translation>Modificación de categorías</translation>
</message>
<message>
<source>Changing orders</source>
<translation>Modificación de pedidos</translation>
</message>
<message>
<source>Changing pets</source>
<translation>Modificación de mascotas</translation>
</message>
<message>
<source>Changing stock</source>
<translation>Modificación del stock</translation>
</message>
<message>
<source>Check &amp;live</source>
<translation>Comprobar en &amp;línea</translation>
</message>
<message>
<source>Check again</source>
<translation>Volver a comprobar</translation>
</message>
<message>
<source>Check again after that.</source>
<translation>Repita la comprobación después.</translation>
</message>
<message>
<source>Check its path or address, or leave it out.</source>
<translation>Compruebe su ruta o dirección, u omítalo.</translation>
</message>
<message>
<source>Check its permissions.</source>
<translation>Compruebe sus permisos.</translation>
</message>
<message>
<source>Check live</source>
<translation>Comprobar en línea</translation>
</message>
<message>
<source>Check that the keyring runs and is unlocked, then forget the connection again.</source>
<translation>Compruebe que el llavero esté en marcha y desbloqueado, y vuelva a olvidar la conexión.</translation>
</message>
<message>
<source>Check the address and its path (it often ends in /v1). If the service has other paths, add its document, or choose what it is built with.</source>
<translation>Compruebe la dirección y su ruta (suele terminar en /v1). Si el servicio tiene otras rutas, añada su documento o elija con qué está creado.</translation>
</message>
<message>
<source>Check the address and its path, or ask the service’s provider for the new one.</source>
<translation>Compruebe la dirección y su ruta, o pida la nueva al proveedor del servicio.</translation>
</message>
<message>
<source>Check the address and its path, or ask the service’s provider.</source>
<translation>Compruebe la dirección y su ruta, o consulte al proveedor del servicio.</translation>
</message>
<message>
<source>Check the address and its path.</source>
<translation>Compruebe la dirección y su ruta.</translation>
</message>
<message>
<source>Check the address and its path: this may be another service.</source>
<translation>Compruebe la dirección y su ruta: puede ser otro servicio.</translation>
</message>
<message>
<source>Check the address and the document in the connection’s settings.</source>
<translation>Compruebe la dirección y el documento en los ajustes de la conexión.</translation>
</message>
<message>
<source>Check the address, and what the document in the connection’s settings says about this list.</source>
<translation>Compruebe la dirección y lo que dice sobre esta lista el documento de los ajustes de la conexión.</translation>
</message>
<message>
<source>Check the address, or choose another document.</source>
<translation>Compruebe la dirección o elija otro documento.</translation>
</message>
<message>
<source>Check the address.</source>
<translation>Compruebe la dirección.</translation>
</message>
<message>
<source>Check the address: it must have the name that the certificate is for.</source>
<translation>Compruebe la dirección: debe tener el nombre para el que es el certificado.</translation>
</message>
<message>
<source>Check the address; a name inside a company may need its network first.</source>
<translation>Compruebe la dirección; un nombre interno de una empresa puede necesitar antes su red.</translation>
</message>
<message>
<source>Check the address; the service may be down.</source>
<translation>Compruebe la dirección; el servicio puede estar caído.</translation>
</message>
<message>
<source>Check the connection to {shop}</source>
<translation>Comprobar la conexión con {shop}</translation>
</message>
<message>
<source>Check the disk and restart the program. Make the last change again only if it is missing then.</source>
<translation>Compruebe el disco y reinicie el programa. Repita el último cambio solo si entonces falta.</translation>
</message>
<message>
<source>Check the disk, then restart the program.</source>
<translation>Compruebe el disco y reinicie el programa.</translation>
</message>
<message>
<source>Check the disk, then try again.</source>
<translation>Compruebe el disco e inténtelo de nuevo.</translation>
</message>
<message>
<source>Check the document, or choose another one.</source>
<translation>Compruebe el documento o elija otro.</translation>
</message>
<message>
<source>Check the keyring’s own program, then enter the key again.</source>
<translation>Compruébelo en el programa del llavero e introduzca la clave de nuevo.</translation>
</message>
<message>
<source>Check the network, or a VPN that may be needed.</source>
<translation>Compruebe la red, o una VPN que pueda hacer falta.</translation>
</message>
<message>
<source>Check the path of the address, or ask the service’s provider for the right one.</source>
<translation>Compruebe la ruta de la dirección o pida la correcta al proveedor del servicio.</translation>
</message>
<message>
<source>Check the permissions of its folder, then restart the program.</source>
<translation>Compruebe los permisos de su carpeta y reinicie el programa.</translation>
</message>
<message>
<source>Check the permissions of its folder, then try again.</source>
<translation>Compruebe los permisos de su carpeta e inténtelo de nuevo.</translation>
</message>
<message>
<source>Check the port in the address.</source>
<translation>Compruebe el puerto de la dirección.</translation>
</message>
<message>
<source>Check the port in the address; the key is never sent unencrypted.</source>
<translation>Compruebe el puerto de la dirección; la clave nunca se envía sin cifrar.</translation>
</message>
<message>
<source>Check the port; a firewall can do this as well.</source>
<translation>Compruebe el puerto; también puede deberse a un cortafuegos.</translation>
</message>
<message>
<source>Check the proxy’s address and the network.</source>
<translation>Compruebe la dirección del proxy y la red.</translation>
</message>
<message>
<source>Check the record live.</source>
<translation>Compruebe el registro en línea.</translation>
</message>
<message>
<source>Check this computer’s clock. If it is right, ask the service’s provider.</source>
<translation>Compruebe el reloj de este equipo. Si está bien, consulte al proveedor del servicio.</translation>
</message>
<message>
<source>Check this computer’s clock. If it is right, the service’s provider must renew the certificate.</source>
<translation>Compruebe el reloj de este equipo. Si está bien, el proveedor del servicio debe renovar el certificado.</translation>
</message>
<message>
<source>Check whether another window asks for its password, then check again.</source>
<translation>Mire si otra ventana pide la contraseña del llavero y repita la comprobación.</translation>
</message>
<message>
<source>Check whether another window asks for its password, then enter the key again.</source>
<translation>Mire si otra ventana pide la contraseña del llavero e introduzca la clave de nuevo.</translation>
</message>
<message>
<source>Check whether the disk is full or its folder is write-protected.</source>
<translation>Compruebe si el disco está lleno o su carpeta está protegida contra escritura.</translation>
</message>
<message>
<source>Check whether the disk is full, then restart the program. The earlier version still works.</source>
<translation>Compruebe si el disco está lleno y reinicie el programa. La versión anterior sigue funcionando.</translation>
</message>
<message>
<source>Check your last changes, and make the missing ones again.</source>
<translation>Revise sus últimos cambios y repita los que falten.</translation>
</message>
<message>
<source>Choose QR, or larger labels.</source>
<translation>Elija QR o etiquetas más grandes.</translation>
</message>
<message>
<source>Choose a category</source>
<translation>Elija una categoría</translation>
</message>
<message>
<source>Choose a category.</source>
<translation>Elija una categoría.</translation>
</message>
<message>
<source>Choose a day</source>
<translation>Elegir un día</translation>
</message>
<message>
<source>Choose a document with those for pets, categories, orders and stock alone.</source>
<translation>Elija un documento que solo contenga las de mascotas, categorías, pedidos y stock.</translation>
</message>
<message>
<source>Choose a file from “Export views”. If it is incomplete, export or copy it again.</source>
<translation>Elija un archivo creado con «Exportar vistas». Si está incompleto, expórtelo o cópielo de nuevo.</translation>
</message>
<message>
<source>Choose a file from “Export” of “Bar codes”. If it is incomplete, export or copy it again.</source>
<translation>Elija un archivo creado con «Exportar» en «Códigos de barras». Si está incompleto, expórtelo o cópielo de nuevo.</translation>
</message>
<message>
<source>Choose a file in PEM form, with BEGIN CERTIFICATE in it.</source>
<translation>Elija un archivo en formato PEM, que contenga BEGIN CERTIFICATE.</translation>
</message>
<message>
<source>Choose a file with only the certificates of the authority that the service needs.</source>
<translation>Elija un archivo que solo contenga los certificados de la autoridad que necesita el servicio.</translation>
</message>
<message>
<source>Choose a file, or move this away, then try again.</source>
<translation>Elija un archivo o mueva esto a otro sitio e inténtelo de nuevo.</translation>
</message>
<message>
<source>Choose a file…</source>
<translation>Elegir un archivo…</translation>
</message>
<message>
<source>Choose a pet.</source>
<translation>Elija una mascota.</translation>
</message>
<message>
<source>Choose a row first.</source>
<translation>Elija antes una fila.</translation>
</message>
<message>
<source>Choose another document, or connect without one.</source>
<translation>Elija otro documento o conéctese sin ninguno.</translation>
</message>
<message>
<source>Choose another document.</source>
<translation>Elija otro documento.</translation>
</message>
<message>
<source>Choose another file, or put it back.</source>
<translation>Elija otro archivo o vuelva a ponerlo en su sitio.</translation>
</message>
<message>
<source>Choose another file…</source>
<translation>Elegir otro archivo…</translation>
</message>
<message>
<source>Choose another folder, or create this one.</source>
<translation>Elija otra carpeta o cree esta.</translation>
</message>
<message>
<source>Choose another place…</source>
<translation>Elegir otro lugar…</translation>
</message>
<message>
<source>Choose its pet</source>
<translation>Elegir su mascota</translation>
</message>
<message>
<source>Choose larger labels.</source>
<translation>Elija etiquetas más grandes.</translation>
</message>
<message>
<source>Choose open or complete.</source>
<translation>Elija abierto o completado.</translation>
</message>
<message>
<source>Choose pets</source>
<translation>Elegir mascotas</translation>
</message>
<message>
<source>Choose the OpenAPI document</source>
<translation>Elegir el documento OpenAPI</translation>
</message>
<message>
<source>Choose the days first.</source>
<translation>Elija antes los días.</translation>
</message>
<message>
<source>Choose the file with certificates</source>
<translation>Elegir el archivo de certificados</translation>
</message>
<message>
<source>Choose the plan that the program counts by. The demo shop keeps the plan it was started with.</source>
<translation>Elija el plan por el que el programa cuenta las solicitudes. La tienda demo conserva el plan con el que se inició.</translation>
</message>
<message>
<source>Choose your plan in the connection’s settings. Until then the program sends one request at a time.</source>
<translation>Elija su plan en los ajustes de la conexión. Hasta entonces, el programa envía las solicitudes de una en una.</translation>
</message>
<message>
<source>Choose…</source>
<translation>Elegir…</translation>
</message>
<message>
<source>Chosen pets</source>
<translation>Mascotas elegidas</translation>
</message>
<message numerus="yes">
<source>Chosen; {n} more fields of this record to choose</source>
<translation>
<numerusform>Elegido; queda {n} campo de este registro por elegir</numerusform>
<numerusform>Elegido; quedan {n} campos de este registro por elegir</numerusform>
</translation>
</message>
<message>
<source>Clear all</source>
<translation>Quitar todos</translation>
</message>
<message>
<source>Clear all filters</source>
<translation>Quitar todos los filtros</translation>
</message>
<message>
<source>Clear filter</source>
<translation>Quitar filtro</translation>
</message>
<message>
<source>Click a place on the sheet to begin there.</source>
<translation>Para empezar en otro lugar de la hoja, haga clic en él.</translation>
</message>
<message>
<source>Clock</source>
<translation>Reloj</translation>
</message>
<message>
<source>Clocks differ by {length}</source>
<translation>Relojes con {length} de diferencia</translation>
</message>
<message>
<source>Close</source>
<translation>Cerrar</translation>
</message>
<message>
<source>Close Pet Store Desktop?</source>
<translation>¿Cerrar Pet Store Desktop?</translation>
</message>
<message>
<source>Close details</source>
<translation>Cerrar los detalles</translation>
</message>
<message>
<source>Close that program, then restart this one.</source>
<translation>Cierre ese programa y reinicie este.</translation>
</message>
<message>
<source>Close that program, then try again.</source>
<translation>Cierre ese programa e inténtelo de nuevo.</translation>
</message>
<message>
<source>Close the count &amp;without booking</source>
<translation>Cerrar el recuento &amp;sin registrar</translation>
</message>
<message>
<source>Close the preview before you go on counting.</source>
<translation>Cierre la vista previa antes de seguir contando.</translation>
</message>
<message>
<source>Close without importing?</source>
<translation>¿Cerrar sin importar?</translation>
</message>
<message>
<source>Close without saving?</source>
<translation>¿Cerrar sin guardar?</translation>
</message>
<message>
<source>Code</source>
<translation>Código</translation>
</message>
<message>
<source>Code 128</source>
<translation>Code 128</translation>
</message>
<message>
<source>Col&amp;umns shown</source>
<translation>Col&amp;umnas visibles</translation>
</message>
<message>
<source>Colour beside its name</source>
<translation>Color junto a su nombre</translation>
</message>
<message>
<source>Column</source>
<translation>Columna</translation>
</message>
<message>
<source>Column in the file</source>
<translation>Columna del archivo</translation>
</message>
<message numerus="yes">
<source>Column {n}</source>
<translation>
<numerusform>Columna {n}</numerusform>
<numerusform>Columna {n}</numerusform>
</translation>
</message>
<message>
<source>Columns</source>
<translation>Columnas</translation>
</message>
<message>
<source>Columns: {columns}.</source>
<translation>Columnas: {columns}.</translation>
</message>
<message>
<source>Comma</source>
<translation>Coma</translation>
</message>
<message>
<source>Compare both values, then send yours again or discard it.</source>
<translation>Compare los dos valores y envíe de nuevo el suyo o descártelo.</translation>
</message>
<message>
<source>Compare from {time}</source>
<translation>Comparar desde el {time}</translation>
</message>
<message>
<source>Compare the record with what you wanted, and change it where needed.</source>
<translation>Compare el registro con lo que usted quería y cámbielo donde haga falta.</translation>
</message>
<message>
<source>Compare the records of your last changes with what you wanted (Activity).</source>
<translation>Compare los registros de sus últimos cambios con lo que quería (Actividad).</translation>
</message>
<message>
<source>Compare this computer’s clock with another one, such as a phone’s.</source>
<translation>Compare el reloj de este equipo con otro, por ejemplo el de un teléfono.</translation>
</message>
<message>
<source>Compare two days</source>
<translation>Comparar dos días</translation>
</message>
<message>
<source>Compare up to now</source>
<translation>Comparar hasta ahora</translation>
</message>
<message>
<source>Comparing {n} of {total}</source>
<translation>Comparando {n} de {total}</translation>
</message>
<message numerus="yes">
<source>Comparing: {n} %</source>
<translation>
<numerusform>Comparando: {n} %</numerusform>
<numerusform>Comparando: {n} %</numerusform>
</translation>
</message>
<message>
<source>Complete</source>
<translation>Completado</translation>
</message>
<message>
<source>Connect</source>
<translation>Conectar</translation>
</message>
<message>
<source>Connect &amp;another shop…</source>
<translation>Conectar &amp;otra tienda…</translation>
</message>
<message>
<source>Connect again under the same name and address.</source>
<translation>Conéctese de nuevo con el mismo nombre y la misma dirección.</translation>
</message>
<message>
<source>Connect another shop</source>
<translation>Conectar otra tienda</translation>
</message>
<message>
<source>Connect to a network.</source>
<translation>Conéctese a una red.</translation>
</message>
<message>
<source>Connect your shop</source>
<translation>Conectar su tienda</translation>
</message>
<message>
<source>Connection &amp;settings…</source>
<translation>A&amp;justes de la conexión…</translation>
</message>
<message>
<source>Connection settings</source>
<translation>Ajustes de la conexión</translation>
</message>
<message>
<source>Continue</source>
<translation>Continuar</translation>
</message>
<message>
<source>Cop&amp;y id</source>
<translation>Copiar &amp;id</translation>
</message>
<message>
<source>Copies</source>
<translation>Copias</translation>
</message>
<message>
<source>Copy</source>
<translation>Copiar</translation>
</message>
<message>
<source>Copy &amp;requests for support</source>
<translation>Copiar &amp;solicitudes para soporte</translation>
</message>
<message>
<source>Copy diagnostics</source>
<translation>Copiar diagnóstico</translation>
</message>
<message>
<source>Copy for support</source>
<translation>Copiar para soporte</translation>
</message>
<message>
<source>Copy it again, and nothing else with it.</source>
<translation>Cópiela de nuevo, sin nada más.</translation>
</message>
<message>
<source>Copy it again, without spaces and line breaks.</source>
<translation>Cópiela de nuevo, sin espacios ni saltos de línea.</translation>
</message>
<message>
<source>Copy the &amp;sentence</source>
<translation>Copiar la &amp;frase</translation>
</message>
<message>
<source>Copy the sentence ({key})</source>
<translation>Copiar la frase ({key})</translation>
</message>
<message>
<source>Copy the whole key again, or ask for another one.</source>
<translation>Copie de nuevo la clave completa o pida otra.</translation>
</message>
<message>
<source>Copy the whole key again, or ask for another one. If the service expects the key in an unusual place, add its OpenAPI document.</source>
<translation>Copie de nuevo la clave completa o pida otra. Si el servicio espera la clave en un lugar poco habitual, añada su documento OpenAPI.</translation>
</message>
<message>
<source>Copy this key again, or ask the service’s provider for another one.</source>
<translation>Copie de nuevo esta clave o pida otra al proveedor del servicio.</translation>
</message>
<message>
<source>Copy with &amp;headers</source>
<translation>Copiar con encabe&amp;zados</translation>
</message>
<message numerus="yes">
<source>Copy {n} wrong rows with the reasons</source>
<translation>
<numerusform>Copiar {n} fila incorrecta con el motivo</numerusform>
<numerusform>Copiar {n} filas incorrectas con los motivos</numerusform>
</translation>
</message>
<message>
<source>Correct the clock that is wrong. Pauses are exact all the same.</source>
<translation>Ponga en hora el reloj que esté mal. De todos modos, las pausas son exactas.</translation>
</message>
<message>
<source>Could not be refreshed</source>
<translation>No se ha podido actualizar</translation>
</message>
<message>
<source>Count {pet} again: scan it, or type its number. Undo brings back its count.</source>
<translation>Cuente {pet} de nuevo: escanéela o escriba la cantidad. Con Deshacer se recupera el recuento anterior.</translation>
</message>
<message>
<source>Counted</source>
<translation>Contado</translation>
</message>
<message>
<source>Counted</source>
<comment>a list</comment>
<translation>Contadas</translation>
</message>
<message>
<source>Counted at</source>
<translation>Hora</translation>
</message>
<message>
<source>Counted by</source>
<translation>Contado por</translation>
</message>
<message>
<source>Counted by {who}.</source>
<translation>Contado por {who}.</translation>
</message>
<message>
<source>Counted here: the service does not say.</source>
<translation>Contadas aquí: el servicio no lo indica.</translation>
</message>
<message>
<source>Counting goes on; review the variances again when it is done.</source>
<translation>El recuento continúa; vuelva a revisar las diferencias cuando termine.</translation>
</message>
<message>
<source>Create</source>
<translation>Creación</translation>
</message>
<message>
<source>Ctrl+Enter shows it in its list</source>
<translation>Control+Intro lo muestra en su lista</translation>
</message>
<message>
<source>Ctrl+Z undoes all of it, even tomorrow.</source>
<translation>Control+Z lo deshace todo, incluso mañana.</translation>
</message>
<message>
<source>Ctrl+Z undoes it only until it is sent.</source>
<translation>Control+Z solo lo deshace mientras no se haya enviado.</translation>
</message>
<message>
<source>Ctrl+Z undoes it until it is sent. After that this service cannot restore it.</source>
<translation>Control+Z lo deshace mientras no se haya enviado. Después, este servicio no puede recuperarlo.</translation>
</message>
<message>
<source>Ctrl+Z undoes it, but sent new records stay: this service does not delete them.</source>
<translation>Control+Z lo deshace, pero los registros nuevos ya enviados se quedan: este servicio no los elimina.</translation>
</message>
<message>
<source>Ctrl+Z undoes it, sent or not, tomorrow too.</source>
<translation>Control+Z lo deshace, enviado o no, también mañana.</translation>
</message>
<message numerus="yes">
<source>Ctrl+Z undoes it. Once sent, undo adds these {n} again with new ids.</source>
<translation>
<numerusform>Control+Z lo deshace. Una vez enviado, deshacer la añade otra vez con un id nuevo.</numerusform>
<numerusform>Control+Z lo deshace. Una vez enviado, deshacer añade otra vez estas {n} con ids nuevos.</numerusform>
</translation>
</message>
<message>
<source>Dark</source>
<translation>Oscuro</translation>
</message>
<message>
<source>Data chec&amp;ks</source>
<translation>Comprobaciones de &amp;datos</translation>
</message>
<message>
<source>Data folder</source>
<translation>Carpeta de datos</translation>
</message>
<message>
<source>Data kept on this computer needs no request.</source>
<translation>Los datos guardados en este equipo no necesitan ninguna solicitud.</translation>
</message>
<message>
<source>Dates</source>
<translation>Fechas</translation>
</message>
<message>
<source>Day</source>
<translation>Día</translation>
</message>
<message>
<source>Day.Month.Year</source>
<translation>Día.mes.año</translation>
</message>
<message>
<source>Days</source>
<translation>Días</translation>
</message>
<message>
<source>Decide</source>
<translation>Decidir</translation>
</message>
<message>
<source>Del</source>
<translation>Suprimir</translation>
</message>
<message>
<source>Delete</source>
<translation>Eliminar</translation>
</message>
<message>
<source>Delete</source>
<comment>a change</comment>
<translation>Eliminación</translation>
</message>
<message>
<source>Delete a category</source>
<translation>Eliminar una categoría</translation>
</message>
<message>
<source>Delete a pet</source>
<translation>Eliminar una mascota</translation>
</message>
<message>
<source>Delete order {id}?</source>
<translation>¿Eliminar el pedido {id}?</translation>
</message>
<message>
<source>Delete puts this away until there are more.</source>
<translation>Suprimir lo oculta hasta que haya más.</translation>
</message>
<message>
<source>Delete them again, or ask the service’s provider why it keeps them.</source>
<translation>Elimínelos otra vez o pregunte al proveedor del servicio por qué los conserva.</translation>
</message>
<message>
<source>Delete this size</source>
<translation>Eliminar este tamaño</translation>
</message>
<message numerus="yes">
<source>Delete {n}</source>
<translation>
<numerusform>Eliminar {n}</numerusform>
<numerusform>Eliminar {n}</numerusform>
</translation>
</message>
<message>
<source>Delete {things}</source>
<translation>Eliminar {things}</translation>
</message>
<message>
<source>Delete {things}?</source>
<translation>¿Eliminar {things}?</translation>
</message>
<message>
<source>Delete {view}</source>
<translation>Eliminar {view}</translation>
</message>
<message>
<source>Deleting categories</source>
<translation>Eliminación de categorías</translation>
</message>
<message>
<source>Deleting pets</source>
<translation>Eliminación de mascotas</translation>
</message>
<message numerus="yes">
<source>Delivery: {n} lines</source>
<translation>
<numerusform>Recepción: {n} línea</numerusform>
<numerusform>Recepción: {n} líneas</numerusform>
</translation>
</message>
<message>
<source>Deprecated: was to be removed on {day}</source>
<translation>En desuso: iba a retirarse el {day}</translation>
</message>
<message>
<source>Deprecated: will be removed on {day}, {left}</source>
<translation>En desuso: se retirará el {day}, {left}</translation>
</message>
<message>
<source>Deprecated: will be removed some day</source>
<translation>En desuso: se retirará algún día</translation>
</message>
<message>
<source>Description</source>
<translation>Descripción</translation>
</message>
<message>
<source>Details</source>
<translation>Detalles</translation>
</message>
<message>
<source>Diagnostics are on the clipboard.</source>
<translation>El diagnóstico está en el portapapeles.</translation>
</message>
<message>
<source>Difference</source>
<translation>Diferencia</translation>
</message>
<message>
<source>Disc&amp;ard changes of this view</source>
<translation>Desc&amp;artar los cambios de esta vista</translation>
</message>
<message>
<source>Discard</source>
<translation>Descartar</translation>
</message>
<message>
<source>Discard changes of {view}</source>
<translation>Descartar los cambios de {view}</translation>
</message>
<message>
<source>Discard mine</source>
<translation>Descartar el mío</translation>
</message>
<message>
<source>Discard {changes}?</source>
<translation>¿Descartar {changes}?</translation>
</message>
<message>
<source>Discarded</source>
<translation>Descartados</translation>
</message>
<message>
<source>Discarded {time}, never sent.</source>
<translation>Descartado ({time}), sin llegar a enviarse.</translation>
</message>
<message>
<source>Discarded {time}.</source>
<translation>Descartado ({time}).</translation>
</message>
<message>
<source>Discarded {time}; the service had refused it.</source>
<translation>Descartado ({time}); el servicio lo había rechazado.</translation>
</message>
<message numerus="yes">
<source>Do not add them</source>
<translation>
<numerusform>No añadirla</numerusform>
<numerusform>No añadirlas</numerusform>
</translation>
</message>
<message>
<source>Do not ask</source>
<translation>No comprobar</translation>
</message>
<message>
<source>Do not continue. Ask the service’s provider.</source>
<translation>No continúe. Consulte al proveedor del servicio.</translation>
</message>
<message>
<source>Document</source>
<translation>Documento</translation>
</message>
<message>
<source>Don’t say this again</source>
<translation>No volver a mostrar</translation>
</message>
<message>
<source>Due today</source>
<translation>Para hoy</translation>
</message>
<message>
<source>E&amp;xclude this</source>
<translation>E&amp;xcluir esto</translation>
</message>
<message>
<source>EUC-KR, Korean</source>
<translation>EUC-KR, coreano</translation>
</message>
<message>
<source>Each code that was scanned is a pet’s.</source>
<translation>Todos los códigos escaneados son de una mascota.</translation>
</message>
<message>
<source>Each scan is a line here, saved at once. Book them when all is scanned.</source>
<translation>Cada lectura es una línea aquí y se guarda al momento. Regístrelas cuando lo haya escaneado todo.</translation>
</message>
<message>
<source>Earlier</source>
<translation>Anteriores</translation>
</message>
<message>
<source>Earlier saved changes are safe. The last change may be saved after all.</source>
<translation>Los cambios guardados antes están a salvo. Es posible que el último cambio también se haya guardado.</translation>
</message>
<message>
<source>Earlier saved changes are safe; the last change is not.</source>
<translation>Los cambios guardados antes están a salvo; el último, no.</translation>
</message>
<message>
<source>Ed&amp;it cell</source>
<translation>Edi&amp;tar celda</translation>
</message>
<message>
<source>Edit</source>
<translation>Editar</translation>
</message>
<message>
<source>Edit &amp;stock</source>
<translation>Editar stoc&amp;k</translation>
</message>
<message>
<source>Edit of many rows</source>
<translation>Edición de varias filas</translation>
</message>
<message>
<source>Edit {name}</source>
<translation>Editar {name}</translation>
</message>
<message>
<source>Editing these costs {requests}</source>
<translation>Editar esto cuesta {requests}</translation>
</message>
<message>
<source>Empty for none. 0 marks only sold-out stock.</source>
<translation>Vacío: ninguno. 0 marca solo el stock agotado.</translation>
</message>
<message>
<source>Empty for the category’s. 0 marks only sold-out stock.</source>
<translation>Vacío: el de la categoría. 0 marca solo el stock agotado.</translation>
</message>
<message>
<source>Empty for the category’s: {n}. 0 marks only sold-out stock.</source>
<translation>Vacío: el de la categoría, {n}. 0 marca solo el stock agotado.</translation>
</message>
<message>
<source>Empty for the category’s: {n}. The column To order counts up to it.</source>
<translation>Vacío: el de la categoría, {n}. La columna «A pedir» se calcula hasta ese valor.</translation>
</message>
<message>
<source>Empty keeps each value. 0 marks only sold-out stock.</source>
<translation>Vacío: se conserva cada valor. 0 marca solo el stock agotado.</translation>
</message>
<message>
<source>Empty keeps each value. The column To order counts up to it.</source>
<translation>Vacío: se conserva cada valor. La columna «A pedir» se calcula hasta ese valor.</translation>
</message>
<message>
<source>Empty to order up to the minimum. The column To order counts up to it.</source>
<translation>Vacío: se pide hasta el mínimo. La columna «A pedir» se calcula hasta ese valor.</translation>
</message>
<message>
<source>Encoding</source>
<translation>Codificación</translation>
</message>
<message>
<source>End</source>
<translation>Fin</translation>
</message>
<message>
<source>End</source>
<comment>the rehearsal</comment>
<translation>Finalizar</translation>
</message>
<message>
<source>End</source>
<comment>what plays by itself</comment>
<translation>Terminar</translation>
</message>
<message>
<source>End the rehearsal?</source>
<translation>¿Terminar el ensayo?</translation>
</message>
<message>
<source>End: {day}</source>
<translation>Fin: {day}</translation>
</message>
<message>
<source>Endless roll, {width} mm wide</source>
<translation>Rollo continuo, {width} mm de ancho</translation>
</message>
<message>
<source>Enough for today at this pace</source>
<translation>A este ritmo, suficientes para hoy</translation>
</message>
<message>
<source>Enough for today at this pace.</source>
<translation>A este ritmo, suficientes para hoy.</translation>
</message>
<message>
<source>Enter</source>
<translation>Intro</translation>
</message>
<message>
<source>Enter a date.</source>
<translation>Introduzca una fecha.</translation>
</message>
<message>
<source>Enter a day, such as {example}.</source>
<translation>Introduzca un día, como {example}.</translation>
</message>
<message>
<source>Enter a day: fri, +3, tomorrow, {example}</source>
<translation>Introduzca un día: vie, +3, mañana, {example}</translation>
</message>
<message>
<source>Enter a key.</source>
<translation>Introduzca una clave.</translation>
</message>
<message>
<source>Enter a name.</source>
<translation>Introduzca un nombre.</translation>
</message>
<message>
<source>Enter a number from 0 to {most}</source>
<translation>Introduzca un número de 0 a {most}</translation>
</message>
<message>
<source>Enter a number.</source>
<translation>Introduzca un número.</translation>
</message>
<message>
<source>Enter a valid date.</source>
<translation>Introduzca una fecha válida.</translation>
</message>
<message>
<source>Enter a whole number</source>
<translation>Introduzca un número entero</translation>
</message>
<message>
<source>Enter a whole number as the id.</source>
<translation>Introduzca un número entero como id.</translation>
</message>
<message>
<source>Enter a whole number from 1 to {most}.</source>
<translation>Introduzca un número entero de 1 a {most}.</translation>
</message>
<message>
<source>Enter a whole number, such as 5.</source>
<translation>Introduzca un número entero, como 5.</translation>
</message>
<message>
<source>Enter a whole number.</source>
<translation>Introduzca un número entero.</translation>
</message>
<message>
<source>Enter a whole number: no fraction.</source>
<translation>Introduzca un número entero, sin decimales.</translation>
</message>
<message>
<source>Enter an address.</source>
<translation>Introduzca una dirección.</translation>
</message>
<message>
<source>Enter an id.</source>
<translation>Introduzca un id.</translation>
</message>
<message>
<source>Enter another key.</source>
<translation>Introduzca otra clave.</translation>
</message>
<message>
<source>Enter another key: this one is wrong, or was revoked. Until then nothing is sent.</source>
<translation>Introduzca otra clave: esta es incorrecta o ha sido revocada. Hasta entonces no se envía nada.</translation>
</message>
<message>
<source>Enter at least 1, or leave it empty.</source>
<translation>Introduzca al menos 1 o déjelo vacío.</translation>
</message>
<message>
<source>Enter at least 1.</source>
<translation>Introduzca al menos 1.</translation>
</message>
<message>
<source>Enter at least the minimum.</source>
<translation>Introduzca al menos el mínimo.</translation>
</message>
<message>
<source>Enter chooses, Esc leaves</source>
<translation>Intro elige, Esc sale</translation>
</message>
<message>
<source>Enter it in the window (File &gt; Change key), or give it by this name with `petstore-desktop connect --further-key`.</source>
<translation>Introdúzcala en la ventana (Archivo &gt; Cambiar la clave) o indíquela con este nombre mediante `petstore-desktop connect --further-key`.</translation>
</message>
<message>
<source>Enter it in the window (File &gt; Change key), or give it with `petstore-desktop connect --key-stdin`.</source>
<translation>Introdúzcala en la ventana (Archivo &gt; Cambiar la clave) o indíquela con `petstore-desktop connect --key-stdin`.</translation>
</message>
<message>
<source>Enter shows the rows of this batch, or hides them.</source>
<translation>Intro muestra u oculta las filas de este lote.</translation>
</message>
<message>
<source>Enter the key.</source>
<translation>Introduzca la clave.</translation>
</message>
<message>
<source>Enter the name of a file.</source>
<translation>Introduzca el nombre de un archivo.</translation>
</message>
<message>
<source>Enter the value, or give the address with it, such as {example}.</source>
<translation>Introduzca el valor o indique la dirección con él, por ejemplo {example}.</translation>
</message>
<message>
<source>Enter them.</source>
<translation>Introdúzcalos.</translation>
</message>
<message>
<source>Entries that the service keeps for its pets are shown here.</source>
<translation>Aquí se muestran las fichas que el servicio lleva de sus mascotas.</translation>
</message>
<message>
<source>Every change is listed here once it is saved: when, which record, and how it ended.</source>
<translation>Aquí aparece cada cambio en cuanto se guarda: cuándo, en qué registro y cómo terminó.</translation>
</message>
<message>
<source>Every change is sent and confirmed.</source>
<translation>Todos los cambios están enviados y confirmados.</translation>
</message>
<message>
<source>Every name fits</source>
<translation>Caben todos los nombres</translation>
</message>
<message>
<source>Every order has a pet, a quantity and a date</source>
<translation>Todos los pedidos tienen mascota, cantidad y fecha</translation>
</message>
<message>
<source>Every order is of a pet that exists</source>
<translation>Todos los pedidos son de una mascota que existe</translation>
</message>
<message>
<source>Every pet has a category</source>
<translation>Todas las mascotas tienen categoría</translation>
</message>
<message>
<source>Every pet needs a category, but there is none, and this service cannot add one.</source>
<translation>Cada mascota necesita una categoría, pero no hay ninguna y este servicio no puede añadirla.</translation>
</message>
<message>
<source>Every request to the service is listed here: when it was sent, for whom, and the answer.</source>
<translation>Aquí aparece cada solicitud al servicio: cuándo se envió, su origen y la respuesta.</translation>
</message>
<message>
<source>Everything else goes on.</source>
<translation>Todo lo demás continúa.</translation>
</message>
<message>
<source>Everything else works.</source>
<translation>Todo lo demás funciona.</translation>
</message>
<message>
<source>Everything here is sent</source>
<translation>Aquí no hay cambios sin enviar</translation>
</message>
<message>
<source>Everything saved on this computer is safe.</source>
<translation>Todo lo guardado en este equipo está a salvo.</translation>
</message>
<message>
<source>Everything works</source>
<translation>Todo funciona</translation>
</message>
<message>
<source>Example</source>
<translation>Ejemplo</translation>
</message>
<message>
<source>Excel workbook (.xlsx)</source>
<translation>Libro de Excel (.xlsx)</translation>
</message>
<message>
<source>Expected</source>
<translation>Esperado</translation>
</message>
<message>
<source>Export</source>
<translation>Exportar</translation>
</message>
<message>
<source>Export bar codes</source>
<translation>Exportar códigos de barras</translation>
</message>
<message>
<source>Export changes</source>
<translation>Exportar cambios</translation>
</message>
<message>
<source>Export views</source>
<translation>Exportar vistas</translation>
</message>
<message>
<source>Export {view}</source>
<translation>Exportar {view}</translation>
</message>
<message>
<source>Export…</source>
<translation>Exportar…</translation>
</message>
<message>
<source>Fields</source>
<translation>Campos</translation>
</message>
<message>
<source>File</source>
<translation>Archivo</translation>
</message>
<message>
<source>Fill</source>
<translation>Relleno</translation>
</message>
<message>
<source>Fill dow&amp;n</source>
<translation>Rellenar hacia aba&amp;jo</translation>
</message>
<message>
<source>Fill in the empty fields above.</source>
<translation>Rellene los campos vacíos de arriba.</translation>
</message>
<message>
<source>Fill the bloc&amp;k</source>
<translation>Rellenar el &amp;bloque</translation>
</message>
<message>
<source>Filter</source>
<translation>Filtro</translation>
</message>
<message>
<source>Filter &amp;by this</source>
<translation>Filtrar por e&amp;sto</translation>
</message>
<message>
<source>Filter over all columns</source>
<translation>Filtro en todas las columnas</translation>
</message>
<message>
<source>Filter this colu&amp;mn</source>
<translation>Filtrar esta colum&amp;na</translation>
</message>
<message>
<source>Filter {column}</source>
<translation>Filtrar {column}</translation>
</message>
<message>
<source>Filter: name or id</source>
<translation>Filtro: nombre o id</translation>
</message>
<message>
<source>Filter: name, id, field, here or elsewhere</source>
<translation>Filtro: nombre, id, campo, aquí o en otro lugar</translation>
</message>
<message>
<source>Finish: nothing to send</source>
<translation>Terminar: nada que enviar</translation>
</message>
<message>
<source>First cells</source>
<translation>Primeras celdas</translation>
</message>
<message>
<source>First seen</source>
<translation>Detectado</translation>
</message>
<message>
<source>First start of a day</source>
<translation>Primer inicio del día</translation>
</message>
<message>
<source>Fit co&amp;lumns</source>
<translation>A&amp;justar columnas</translation>
</message>
<message>
<source>For</source>
<translation>Origen</translation>
</message>
<message>
<source>For a spreadsheet (*.csv)</source>
<translation>Para hojas de cálculo (*.csv)</translation>
</message>
<message>
<source>For another address, connect another shop.</source>
<translation>Para otra dirección, conecte otra tienda.</translation>
</message>
<message>
<source>For another value, connect another shop.</source>
<translation>Para otro valor, conecte otra tienda.</translation>
</message>
<message>
<source>For programs (*.json)</source>
<translation>Para programas (*.json)</translation>
</message>
<message>
<source>For programs (.json)</source>
<translation>Para programas (.json)</translation>
</message>
<message>
<source>For some operations the service wants another key: {key}.</source>
<translation>Para algunas operaciones, el servicio exige otra clave: {key}.</translation>
</message>
<message>
<source>Forget</source>
<translation>Olvidar</translation>
</message>
<message>
<source>Forget this shop…</source>
<translation>Olvidar esta tienda…</translation>
</message>
<message>
<source>Forget {shop}?</source>
<translation>¿Olvidar {shop}?</translation>
</message>
<message>
<source>Forward</source>
<translation>Adelante</translation>
</message>
<message>
<source>Found</source>
<translation>Encontrado</translation>
</message>
<message>
<source>Free some disk space, then restart the program.</source>
<translation>Libere espacio en el disco y reinicie el programa.</translation>
</message>
<message>
<source>Free some disk space, then try again.</source>
<translation>Libere espacio en el disco e inténtelo de nuevo.</translation>
</message>
<message>
<source>Free&amp;ze columns up to here</source>
<translation>In&amp;movilizar columnas hasta aquí</translation>
</message>
<message>
<source>From</source>
<translation>Desde</translation>
</message>
<message>
<source>From one day to another</source>
<translation>De un día a otro</translation>
</message>
<message>
<source>From this network there is no way to {host}.</source>
<translation>Desde esta red no se puede acceder a {host}.</translation>
</message>
<message>
<source>From what this computer has read; what moved and moved back between two readings is not in it.</source>
<translation>Según lo que ha leído este equipo; no incluye lo que cambió y volvió a su valor entre dos lecturas.</translation>
</message>
<message>
<source>From your rehearsal; nothing of it has reached the shop yet.</source>
<translation>De su ensayo; nada de ello ha llegado aún a la tienda.</translation>
</message>
<message>
<source>From {time}</source>
<translation>Desde {time}</translation>
</message>
<message>
<source>Full again at {time}.</source>
<translation>Se renuevan: {time}.</translation>
</message>
<message>
<source>GB 18030, Chinese</source>
<translation>GB 18030, chino</translation>
</message>
<message>
<source>Gap between columns</source>
<translation>Espacio entre columnas</translation>
</message>
<message>
<source>Gap between rows</source>
<translation>Espacio entre filas</translation>
</message>
<message>
<source>General</source>
<translation>General</translation>
</message>
<message>
<source>Give the base address of its API, such as https://shop.example/v1.</source>
<translation>Indique la dirección base de su API, por ejemplo https://shop.example/v1.</translation>
</message>
<message>
<source>Go to its c&amp;ategory</source>
<translation>Ir a su cate&amp;goría</translation>
</message>
<message>
<source>Go to its s&amp;tock</source>
<translation>Ir a su stoc&amp;k</translation>
</message>
<message>
<source>Go to the record</source>
<translation>Ir al registro</translation>
</message>
<message>
<source>Gone</source>
<comment>a record that is no longer there</comment>
<translation>Ya no existe</translation>
</message>
<message>
<source>Gone</source>
<comment>records that are no longer there</comment>
<translation>Ya no existen</translation>
</message>
<message>
<source>Green</source>
<translation>Verde</translation>
</message>
<message>
<source>H&amp;ide this column</source>
<translation>&amp;Ocultar esta columna</translation>
</message>
<message>
<source>HTTP status</source>
<translation>Estado HTTP</translation>
</message>
<message>
<source>Has no stock entry</source>
<translation>No tiene ficha de stock</translation>
</message>
<message>
<source>Header row</source>
<translation>Encabezado</translation>
</message>
<message>
<source>High contrast</source>
<translation>Contraste alto</translation>
</message>
<message>
<source>History</source>
<translation>Historial</translation>
</message>
<message>
<source>Holds the id. A scan of it finds the pet, also offline.</source>
<translation>Contiene el id. Al escanearlo se encuentra la mascota, también sin conexión.</translation>
</message>
<message>
<source>How long they last is not known yet</source>
<translation>Aún no se sabe cuánto durarán</translation>
</message>
<message>
<source>How many operations can be used with this choice is not known before the service is asked again.</source>
<translation>No se sabrá cuántas operaciones se pueden usar con esta selección hasta que se consulte de nuevo al servicio.</translation>
</message>
<message>
<source>I&amp;mport…</source>
<translation>&amp;Importar…</translation>
</message>
<message>
<source>Id</source>
<translation>Id</translation>
</message>
<message>
<source>Id of the pet</source>
<translation>Id de la mascota</translation>
</message>
<message>
<source>If it happens again, ask the service’s provider, and look for other programs that use this key.</source>
<translation>Si vuelve a ocurrir, consulte al proveedor del servicio y busque otros programas que usen esta clave.</translation>
</message>
<message>
<source>If it has them elsewhere: choose them in File &gt; Operations, or give its document with --document.</source>
<translation>Si las tiene en otro lugar, elíjalas en Archivo &gt; Operaciones o indique su documento con --document.</translation>
</message>
<message>
<source>If it is a pet shop, choose its operations in File &gt; Operations.</source>
<translation>Si es una tienda de mascotas, elija sus operaciones en Archivo &gt; Operaciones.</translation>
</message>
<message>
<source>If it is right, you don’t need to do anything.</source>
<translation>Si está bien, no hay que hacer nada.</translation>
</message>
<message>
<source>If it is wrong, set it: late orders and all times shown depend on it.</source>
<translation>Si está mal, póngalo en hora: los pedidos atrasados y todas las horas mostradas dependen de él.</translation>
</message>
<message>
<source>If that address is right, enter it.</source>
<translation>Si esa dirección es correcta, introdúzcala.</translation>
</message>
<message>
<source>If that address is right, use it instead.</source>
<translation>Si esa dirección es correcta, úsela en su lugar.</translation>
</message>
<message>
<source>If that is right, choose it in File &gt; Operations.</source>
<translation>Si es correcto, elíjalo en Archivo &gt; Operaciones.</translation>
</message>
<message>
<source>If the service has moved, change the connection’s address; a sign-in page means that it is the wrong one.</source>
<translation>Si el servicio se ha trasladado, cambie la dirección de la conexión; una página de inicio de sesión indica que no es la correcta.</translation>
</message>
<message>
<source>If the service publishes no OpenAPI document.</source>
<translation>Si el servicio no publica ningún documento OpenAPI.</translation>
</message>
<message>
<source>If this happens often, the shop needs a larger plan.</source>
<translation>Si ocurre a menudo, la tienda necesita un plan mayor.</translation>
</message>
<message>
<source>If this is the right server, set its authority’s certificate as the connection’s CA file.</source>
<translation>Si es el servidor correcto, indique el certificado de su autoridad como archivo de CA de la conexión.</translation>
</message>
<message>
<source>If you know your plan, choose it in File, Connection settings.</source>
<translation>Si conoce su plan, elíjalo en Archivo &gt; Ajustes de la conexión.</translation>
</message>
<message>
<source>If you send now, the key may be banned. Then nothing works with it for hours.</source>
<translation>Si envía ahora, la clave puede quedar suspendida. En ese caso, no funcionará nada con ella durante horas.</translation>
</message>
<message>
<source>If you trust that address, choose it as the connection’s document.</source>
<translation>Si confía en esa dirección, elíjala como documento de la conexión.</translation>
</message>
<message>
<source>If your scanner types something before or after each code, enter it here. Leave Enter and Tab out.</source>
<translation>Si su lector escribe algo antes o después de cada código, indíquelo aquí. No incluya Intro ni Tab.</translation>
</message>
<message>
<source>Import</source>
<translation>Importar</translation>
</message>
<message>
<source>Import as</source>
<translation>Importar como</translation>
</message>
<message>
<source>Import bar codes</source>
<translation>Importar códigos de barras</translation>
</message>
<message>
<source>Import column {name} as</source>
<translation>Importar la columna {name} como</translation>
</message>
<message>
<source>Import of {file}</source>
<translation>Importación de {file}</translation>
</message>
<message>
<source>Import of {file} by a script</source>
<translation>Importación de {file} mediante un script</translation>
</message>
<message>
<source>Import views</source>
<translation>Importar vistas</translation>
</message>
<message>
<source>Import {file}</source>
<translation>Importar {file}</translation>
</message>
<message>
<source>Imported before</source>
<translation>Ya importada</translation>
</message>
<message>
<source>Import…</source>
<translation>Importar…</translation>
</message>
<message>
<source>In conflict</source>
<translation>En conflicto</translation>
</message>
<message>
<source>In millimetres, as the box of the labels says. A roll has one label across and one down.</source>
<translation>En milímetros, como indica la caja de etiquetas. Un rollo tiene una etiqueta a lo ancho y una a lo alto.</translation>
</message>
<message numerus="yes">
<source>In row {n}</source>
<translation>
<numerusform>En la fila {n}</numerusform>
<numerusform>En la fila {n}</numerusform>
</translation>
</message>
<message>
<source>In stock</source>
<translation>En stock</translation>
</message>
<message numerus="yes">
<source>In stock {stock}, but {n} are on order.</source>
<translation>
<numerusform>En stock: {stock}, pero hay {n} en pedidos.</numerusform>
<numerusform>En stock: {stock}, pero hay {n} en pedidos.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>In stock {stock}, {n} on order.</source>
<translation>
<numerusform>En stock: {stock}; en pedidos: {n}.</numerusform>
<numerusform>En stock: {stock}; en pedidos: {n}.</numerusform>
</translation>
</message>
<message>
<source>In stock {stock}.</source>
<translation>En stock: {stock}.</translation>
</message>
<message>
<source>In stock, each</source>
<translation>En stock, cada una</translation>
</message>
<message>
<source>In the order of the screen. Ids keep all their digits, and no text becomes a formula.</source>
<translation>En el orden de la pantalla. Los ids conservan todas sus cifras y ningún texto se convierte en fórmula.</translation>
</message>
<message>
<source>In the rehearsal: {what}.</source>
<translation>En el ensayo: {what}.</translation>
</message>
<message>
<source>Include it</source>
<translation>Incluirlo</translation>
</message>
<message>
<source>Incomplete</source>
<translation>Incompleto</translation>
</message>
<message>
<source>Incomplete orders</source>
<translation>Pedidos incompletos</translation>
</message>
<message>
<source>Install the later version again.</source>
<translation>Instale de nuevo la versión posterior.</translation>
</message>
<message>
<source>Invented pets and orders, with real request limits. Runs on this computer; no account needed.</source>
<translation>Mascotas y pedidos inventados, con límites de solicitudes reales. Funciona en este equipo; sin cuenta.</translation>
</message>
<message>
<source>Inventory</source>
<translation>Inventario</translation>
</message>
<message>
<source>It answered {said}.</source>
<translation>Respondió {said}.</translation>
</message>
<message>
<source>It cannot work just now, and answered {said}.</source>
<translation>No puede atender solicitudes en este momento y respondió {said}.</translation>
</message>
<message>
<source>It continues where it stopped.</source>
<translation>Continúa donde se detuvo.</translation>
</message>
<message>
<source>It could also be {endpoint}.</source>
<translation>También podría ser {endpoint}.</translation>
</message>
<message>
<source>It counts {counts}.</source>
<translation>El servicio cuenta {counts}.</translation>
</message>
<message>
<source>It did not say clearly how long, so the program waits longer each time.</source>
<translation>No dijo con claridad cuánto, así que el programa espera más cada vez.</translation>
</message>
<message>
<source>It does not say its limits; the program counts by the plan that you gave.</source>
<translation>No indica sus límites; el programa cuenta según el plan indicado.</translation>
</message>
<message>
<source>It does so when a program keeps sending after it was asked to wait.</source>
<translation>Lo hace cuando un programa sigue enviando después de que se le pida esperar.</translation>
</message>
<message>
<source>It gets a data folder of its own; this shop stays.</source>
<translation>Tendrá su propia carpeta de datos; esta tienda se conserva.</translation>
</message>
<message>
<source>It goes into this computer’s keyring if it has one, never into a file.</source>
<translation>Se guarda en el llavero de este equipo, si tiene uno; nunca en un archivo.</translation>
</message>
<message>
<source>It has no id, so it is new. {reason}</source>
<translation>No tiene id, así que es nuevo. {reason}</translation>
</message>
<message>
<source>It has no list to read, so none was tried.</source>
<translation>No tiene ninguna lista que leer, así que no se ha probado ninguna.</translation>
</message>
<message>
<source>It is back: what you did goes out by itself.</source>
<translation>Ha vuelto: lo que hizo se envía solo.</translation>
</message>
<message>
<source>It is checked when sending resumes</source>
<translation>Se comprobará cuando se reanude el envío</translation>
</message>
<message>
<source>It is full again at {time}.</source>
<translation>Se renuevan: {time}.</translation>
</message>
<message>
<source>It is kept in the history and in the protocol.</source>
<translation>Se conserva en el historial y en el acta.</translation>
</message>
<message>
<source>It is not certain which record a change of {things} would reach by this id: {name}. So they are only read.</source>
<translation>No es seguro qué registro alcanzaría un cambio de {things} con este id.: {name}. Por eso solo se leen.</translation>
</message>
<message>
<source>It is not certain which record {shop} would change by this id. A profile says what its ids mean (File &gt; Operations &gt; Save as profile).</source>
<translation>No es seguro qué registro cambiaría {shop} con este id. Un perfil dice qué significan los id. (Archivo &gt; Operaciones &gt; Guardar como perfil).</translation>
</message>
<message numerus="yes">
<source>It is not known whether {changes} arrived: check at the service before you make them again.</source>
<translation>
<numerusform>No se sabe si ha llegado {changes}: compruébelo en el servicio antes de repetirlo.</numerusform>
<numerusform>No se sabe si han llegado {changes}: compruébelo en el servicio antes de repetirlos.</numerusform>
</translation>
</message>
<message>
<source>It is read from the service now, and stays in the list here.</source>
<translation>Se lee ahora del servicio y se queda aquí en la lista.</translation>
</message>
<message>
<source>It is sent in the address, as {name}.</source>
<translation>Se envía en la dirección, como {name}.</translation>
</message>
<message>
<source>It is sent in the header {name}.</source>
<translation>Se envía en el encabezado {name}.</translation>
</message>
<message>
<source>It is unchanged, with everything saved. Until it is upgraded nothing can be changed or sent.</source>
<translation>Sigue igual, con todo lo guardado. Hasta que se adapte, no se puede modificar ni enviar nada.</translation>
</message>
<message>
<source>It is {status} already.</source>
<translation>Ya está {status}.</translation>
</message>
<message>
<source>It may be a colleague’s. Keep mine deletes it.</source>
<translation>Puede ser de otra persona. «Usar el mío» lo elimina.</translation>
</message>
<message>
<source>It may be done or not; nothing is sent twice by itself.</source>
<translation>Puede que se haya hecho o no; nada se envía dos veces por sí solo.</translation>
</message>
<message>
<source>It may be overloaded. Try again later, or ask its provider.</source>
<translation>Puede estar sobrecargado. Inténtelo más tarde o consulte a su proveedor.</translation>
</message>
<message>
<source>It may have arrived; the service does not show whether it did. The program does not send it again by itself.</source>
<translation>Puede que haya llegado; el servicio no muestra si fue así. El programa no lo vuelve a enviar por sí solo.</translation>
</message>
<message>
<source>It offers all {of} operations.</source>
<translation>Ofrece las {of} operaciones.</translation>
</message>
<message>
<source>It offers {offered} of the {of} operations that the program uses.</source>
<translation>Ofrece {offered} de las {of} operaciones que usa el programa.</translation>
</message>
<message>
<source>It refused again, so the program waits longer than it asked.</source>
<translation>Ha vuelto a rechazar solicitudes, así que el programa espera más de lo que pidió.</translation>
</message>
<message>
<source>It says how many requests are left: {remaining} of {limit}.</source>
<translation>Indica cuántas solicitudes quedan: {remaining} de {limit}.</translation>
</message>
<message>
<source>It says how many requests are left: {remaining}, but not of how many.</source>
<translation>Indica cuántas solicitudes quedan: {remaining}, pero no de cuántas.</translation>
</message>
<message>
<source>It takes {price}.</source>
<translation>Requiere {price}.</translation>
</message>
<message numerus="yes">
<source>It took {n} requests, all of them reads.</source>
<translation>
<numerusform>Ha requerido {n} solicitud, de lectura.</numerusform>
<numerusform>Ha requerido {n} solicitudes, todas de lectura.</numerusform>
</translation>
</message>
<message>
<source>It was asked when the pets were read, {age}.</source>
<translation>Se consultó al leer las mascotas ({age}).</translation>
</message>
<message>
<source>It was done</source>
<translation>Sí se hizo</translation>
</message>
<message>
<source>Its data on this computer is removed. No key was removed, because no keyring was found.</source>
<translation>Sus datos se han borrado de este equipo. No se ha borrado ninguna clave, porque no se ha encontrado ningún llavero.</translation>
</message>
<message>
<source>Its document cannot be loaded. It answers at the standard paths, so the nine standard operations are used.</source>
<translation>No se puede cargar su documento. Responde en las rutas estándar, así que se usan las nueve operaciones estándar.</translation>
</message>
<message>
<source>Its document has no operation that lists {things}.</source>
<translation>Su documento no tiene ninguna operación que liste {things}.</translation>
</message>
<message>
<source>Its key and its data on this computer are removed.</source>
<translation>Su clave y sus datos se han borrado de este equipo.</translation>
</message>
<message>
<source>Jobs</source>
<translation>Trabajos</translation>
</message>
<message>
<source>Keep</source>
<translation>Conservar</translation>
</message>
<message>
<source>Keep editing</source>
<translation>Seguir editando</translation>
</message>
<message>
<source>Keep mine</source>
<translation>Usar el mío</translation>
</message>
<message>
<source>Keep the program’s data in a folder on this computer.</source>
<translation>Guarde los datos del programa en una carpeta de este equipo.</translation>
</message>
<message>
<source>Keep these changes…</source>
<translation>Conservar estos cambios…</translation>
</message>
<message>
<source>Keep waiting</source>
<translation>Seguir esperando</translation>
</message>
<message>
<source>Keep working. If this happens often, the shop needs a larger plan.</source>
<translation>Puede seguir trabajando. Si ocurre a menudo, la tienda necesita un plan mayor.</translation>
</message>
<message>
<source>Keep working: it goes on by itself.</source>
<translation>Puede seguir trabajando: continuará automáticamente.</translation>
</message>
<message>
<source>Keep working: the program keeps trying, then sends your changes.</source>
<translation>Puede seguir trabajando: el programa lo sigue intentando y después envía sus cambios.</translation>
</message>
<message>
<source>Keep working; it goes on by itself.</source>
<translation>Puede seguir trabajando; continuará automáticamente.</translation>
</message>
<message>
<source>Kept in this computer’s keyring if it has one, never in a file.</source>
<translation>Se guarda en el llavero de este equipo, si tiene uno; nunca en un archivo.</translation>
</message>
<message>
<source>Key</source>
<translation>Clave</translation>
</message>
<message>
<source>Key for {shop}</source>
<translation>Clave de {shop}</translation>
</message>
<message>
<source>Key {name}</source>
<translation>Clave {name}</translation>
</message>
<message>
<source>Key {name} (header {parameter})</source>
<translation>Clave {name} (encabezado {parameter})</translation>
</message>
<message>
<source>Key {name} (in the address, as {parameter})</source>
<translation>Clave {name} (en la dirección, como {parameter})</translation>
</message>
<message>
<source>Keys and marks</source>
<translation>Teclas y marcas</translation>
</message>
<message>
<source>Label of {name}</source>
<translation>Etiqueta de {name}</translation>
</message>
<message>
<source>Label {page} of {pages}</source>
<translation>Etiqueta {page} de {pages}</translation>
</message>
<message>
<source>Label {place}</source>
<translation>Etiqueta {place}</translation>
</message>
<message>
<source>Label, height</source>
<translation>Alto de la etiqueta</translation>
</message>
<message>
<source>Label, width</source>
<translation>Ancho de la etiqueta</translation>
</message>
<message>
<source>Labels</source>
<translation>Etiquetas</translation>
</message>
<message>
<source>Labels across</source>
<translation>Etiquetas a lo ancho</translation>
</message>
<message>
<source>Labels down</source>
<translation>Etiquetas a lo alto</translation>
</message>
<message>
<source>Labels of each pet</source>
<translation>Etiquetas de cada mascota</translation>
</message>
<message>
<source>Language</source>
<translation>Idioma</translation>
</message>
<message>
<source>Language and preferences</source>
<translation>Idioma y preferencias</translation>
</message>
<message>
<source>Last month</source>
<translation>Mes pasado</translation>
</message>
<message>
<source>Last scan</source>
<translation>Última lectura</translation>
</message>
<message>
<source>Last scanned</source>
<translation>Última lectura</translation>
</message>
<message>
<source>Last week</source>
<translation>Semana pasada</translation>
</message>
<message numerus="yes">
<source>Last {n} days</source>
<translation>
<numerusform>Último día</numerusform>
<numerusform>Últimos {n} días</numerusform>
</translation>
</message>
<message numerus="yes">
<source>Last {n} hours</source>
<translation>
<numerusform>Última hora</numerusform>
<numerusform>Últimas {n} horas</numerusform>
</translation>
</message>
<message>
<source>Lasts until they are full again: at this pace ≈ {count} by {time}</source>
<translation>Duran hasta que se renueven: a este ritmo, ≈ {count} hasta {time}</translation>
</message>
<message>
<source>Lasts until {time} at this pace.</source>
<translation>A este ritmo, duran hasta {time}.</translation>
</message>
<message>
<source>Late</source>
<translation>Retraso</translation>
</message>
<message>
<source>Later</source>
<translation>Más tarde</translation>
</message>
<message>
<source>Later</source>
<comment>orders due after this week</comment>
<translation>Después</translation>
</message>
<message>
<source>Latin-1, Western</source>
<translation>Latin-1, occidental</translation>
</message>
<message>
<source>Latin-9, Western</source>
<translation>Latin-9, occidental</translation>
</message>
<message>
<source>Laying out the report…</source>
<translation>Componiendo el informe…</translation>
</message>
<message numerus="yes">
<source>Leave out their stock</source>
<translation>
<numerusform>Omitir su stock</numerusform>
<numerusform>Omitir su stock</numerusform>
</translation>
</message>
<message>
<source>Left out</source>
<translation>Omitido</translation>
</message>
<message>
<source>Left out with the record it belongs to</source>
<translation>Omitido con el registro al que pertenece</translation>
</message>
<message>
<source>Less</source>
<translation>Menos</translation>
</message>
<message>
<source>Licences</source>
<translation>Licencias</translation>
</message>
<message>
<source>Light</source>
<translation>Claro</translation>
</message>
<message>
<source>Limit not known</source>
<translation>Límite desconocido</translation>
</message>
<message>
<source>Limits</source>
<translation>Límites</translation>
</message>
<message numerus="yes">
<source>Limits {n} a day</source>
<translation>
<numerusform>Límite: {n} por día</numerusform>
<numerusform>Límite: {n} por día</numerusform>
</translation>
</message>
<message numerus="yes">
<source>Limits {n} a minute</source>
<translation>
<numerusform>Límite: {n} por minuto</numerusform>
<numerusform>Límite: {n} por minuto</numerusform>
</translation>
</message>
<message>
<source>Lines</source>
<translation>Líneas</translation>
</message>
<message>
<source>List</source>
<translation>Lista</translation>
</message>
<message>
<source>List categories</source>
<translation>Listar categorías</translation>
</message>
<message>
<source>List orders</source>
<translation>Listar pedidos</translation>
</message>
<message>
<source>List pets</source>
<translation>Listar mascotas</translation>
</message>
<message>
<source>List stock</source>
<translation>Listar el stock</translation>
</message>
<message>
<source>Loading…</source>
<translation>Cargando…</translation>
</message>
<message>
<source>Loo&amp;k up by id…</source>
<translation>C&amp;onsultar por id…</translation>
</message>
<message>
<source>Look at it</source>
<translation>Revisarlo</translation>
</message>
<message>
<source>Look at them</source>
<translation>Revisarlos</translation>
</message>
<message>
<source>Look up</source>
<translation>Consultar</translation>
</message>
<message>
<source>Look up a category</source>
<translation>Consultar una categoría</translation>
</message>
<message>
<source>Look up a pet</source>
<translation>Consultar una mascota</translation>
</message>
<message>
<source>Look up an order</source>
<translation>Consultar un pedido</translation>
</message>
<message>
<source>Look up category #{id} at the shop</source>
<translation>Consultar la categoría #{id} en la tienda</translation>
</message>
<message>
<source>Look up one category</source>
<translation>Consultar una categoría</translation>
</message>
<message>
<source>Look up one order</source>
<translation>Consultar un pedido</translation>
</message>
<message>
<source>Look up one pet</source>
<translation>Consultar una mascota</translation>
</message>
<message>
<source>Look up order #{id} at the shop</source>
<translation>Consultar el pedido #{id} en la tienda</translation>
</message>
<message>
<source>Look up pet #{id} at the shop</source>
<translation>Consultar la mascota #{id} en la tienda</translation>
</message>
<message>
<source>Look up single records by id; they stay here.</source>
<translation>Consulte registros sueltos por id; se quedan aquí.</translation>
</message>
<message>
<source>Look up the stock of a pet</source>
<translation>Consultar el stock de una mascota</translation>
</message>
<message>
<source>Look up the stock of one pet</source>
<translation>Consultar el stock de una mascota</translation>
</message>
<message>
<source>Look up the stock of pet #{id} at the shop</source>
<translation>Consultar el stock de la mascota #{id} en la tienda</translation>
</message>
<message>
<source>Looking for unsent changes…</source>
<translation>Buscando cambios sin enviar…</translation>
</message>
<message>
<source>Low</source>
<translation>Bajo</translation>
</message>
<message>
<source>Low stock</source>
<translation>Stock bajo</translation>
</message>
<message>
<source>Low stock by category</source>
<translation>Stock bajo por categoría</translation>
</message>
<message>
<source>Low stock now</source>
<translation>Stock bajo ahora</translation>
</message>
<message numerus="yes">
<source>Low stock now: {n} pets</source>
<translation>
<numerusform>Stock bajo ahora: {n} mascota</numerusform>
<numerusform>Stock bajo ahora: {n} mascotas</numerusform>
</translation>
</message>
<message>
<source>M&amp;ark open</source>
<translation>Marcar como a&amp;bierto</translation>
</message>
<message>
<source>Mac, Western</source>
<translation>Mac, occidental</translation>
</message>
<message>
<source>Manual</source>
<translation>Manual</translation>
</message>
<message>
<source>Manual of Pet Store Desktop</source>
<translation>Manual de Pet Store Desktop</translation>
</message>
<message>
<source>Margin at the left</source>
<translation>Margen izquierdo</translation>
</message>
<message>
<source>Margin at the top</source>
<translation>Margen superior</translation>
</message>
<message>
<source>Marks</source>
<translation>Marcas</translation>
</message>
<message>
<source>Menu</source>
<translation>Menú</translation>
</message>
<message>
<source>Menu (F10)</source>
<translation>Menú (F10)</translation>
</message>
<message>
<source>Method</source>
<translation>Método</translation>
</message>
<message>
<source>Mine</source>
<translation>Mío</translation>
</message>
<message>
<source>Mine: {mine}. At the shop: {theirs}.</source>
<translation>Mío: {mine}. En la tienda: {theirs}.</translation>
</message>
<message>
<source>Minimum</source>
<translation>Mínimo</translation>
</message>
<message>
<source>Minimum stock of {what}</source>
<translation>Stock mínimo de {what}</translation>
</message>
<message>
<source>Minimum stock of {what}: {n}</source>
<translation>Stock mínimo de {what}: {n}</translation>
</message>
<message>
<source>Minimum stock of {what}: {n}, order up to {most}</source>
<translation>Stock mínimo de {what}: {n}, pedir hasta {most}</translation>
</message>
<message>
<source>Minimum stock removed: {what}</source>
<translation>Stock mínimo quitado: {what}</translation>
</message>
<message>
<source>Minimum stock set: {what}</source>
<translation>Stock mínimo establecido: {what}</translation>
</message>
<message>
<source>Minute</source>
<translation>Minuto</translation>
</message>
<message>
<source>Missing: {missing}.</source>
<translation>Falta: {missing}.</translation>
</message>
<message>
<source>Month/Day/Year</source>
<translation>Mes/día/año</translation>
</message>
<message>
<source>Monthly report: l&amp;ast month…</source>
<translation>Informe mensual: mes p&amp;asado…</translation>
</message>
<message>
<source>Monthly report: t&amp;his month…</source>
<translation>Informe mensual: este &amp;mes…</translation>
</message>
<message>
<source>More</source>
<translation>Más</translation>
</message>
<message>
<source>More actions</source>
<translation>Más acciones</translation>
</message>
<message numerus="yes">
<source>More may belong to them, because not all of it was read: {lists}.</source>
<translation>
<numerusform>Puede haber más elementos relacionados, porque no se ha leído todo: {lists}.</numerusform>
<numerusform>Puede haber más elementos relacionados, porque no se ha leído todo: {lists}.</numerusform>
</translation>
</message>
<message>
<source>More of this pet</source>
<translation>Más de esta mascota</translation>
</message>
<message>
<source>More ordered than in stock</source>
<translation>Pedidos que superan el stock</translation>
</message>
<message>
<source>More, in English</source>
<translation>Más, en inglés</translation>
</message>
<message>
<source>More: plan, document, certificates</source>
<translation>Más: plan, documento, certificados</translation>
</message>
<message numerus="yes">
<source>Most often, as in row {row}: {reason}</source>
<translation>
<numerusform>Fila {row}: {reason}</numerusform>
<numerusform>Lo más frecuente, como en la fila {row}: {reason}</numerusform>
</translation>
</message>
<message>
<source>Move this view &amp;up</source>
<translation>&amp;Subir esta vista</translation>
</message>
<message>
<source>Move this view d&amp;own</source>
<translation>&amp;Bajar esta vista</translation>
</message>
<message>
<source>Move {things} to {value}</source>
<translation>Mover {things} a {value}</translation>
</message>
<message>
<source>Move {view} down</source>
<translation>Bajar {view}</translation>
</message>
<message>
<source>Move {view} up</source>
<translation>Subir {view}</translation>
</message>
<message>
<source>Name</source>
<translation>Nombre</translation>
</message>
<message>
<source>Name in the service</source>
<translation>Nombre en el servicio</translation>
</message>
<message>
<source>Name in the service for “{what}”</source>
<translation>Nombre en el servicio de «{what}»</translation>
</message>
<message>
<source>Name of the shop</source>
<translation>Nombre de la tienda</translation>
</message>
<message>
<source>Name or id</source>
<translation>Nombre o id</translation>
</message>
<message>
<source>Name or id of the pet</source>
<translation>Nombre o id de la mascota</translation>
</message>
<message>
<source>Names</source>
<translation>Nombres</translation>
</message>
<message>
<source>Names, one per line</source>
<translation>Nombres, uno por línea</translation>
</message>
<message>
<source>Ne&amp;w order…</source>
<translation>N&amp;uevo pedido…</translation>
</message>
<message>
<source>Needs attenti&amp;on</source>
<translation>Re&amp;quiere atención</translation>
</message>
<message>
<source>Needs attention</source>
<translation>Requiere atención</translation>
</message>
<message>
<source>New</source>
<comment>a record that is new</comment>
<translation>Nuevo</translation>
</message>
<message>
<source>New</source>
<comment>rows of a file</comment>
<translation>Nuevas</translation>
</message>
<message>
<source>New &amp;category…</source>
<translation>Nueva &amp;categoría…</translation>
</message>
<message>
<source>New &amp;pet…</source>
<translation>Nueva &amp;mascota…</translation>
</message>
<message>
<source>New category</source>
<translation>Nueva categoría</translation>
</message>
<message>
<source>New category {name}</source>
<translation>Nueva categoría {name}</translation>
</message>
<message>
<source>New changes show here until they are sent.</source>
<translation>Los cambios nuevos aparecen aquí hasta que se envían.</translation>
</message>
<message>
<source>New count</source>
<translation>Nuevo recuento</translation>
</message>
<message>
<source>New order</source>
<translation>Nuevo pedido</translation>
</message>
<message>
<source>New orders</source>
<translation>Pedidos nuevos</translation>
</message>
<message>
<source>New pet</source>
<translation>Nueva mascota</translation>
</message>
<message>
<source>New pet {name}</source>
<translation>Nueva mascota {name}</translation>
</message>
<message>
<source>New pets</source>
<translation>Nuevas mascotas</translation>
</message>
<message>
<source>New records get numbers for ids here.</source>
<translation>Aquí los registros nuevos reciben números como id.</translation>
</message>
<message>
<source>New s&amp;tock entry…</source>
<translation>Nueva ficha de s&amp;tock…</translation>
</message>
<message>
<source>New value</source>
<translation>Valor nuevo</translation>
</message>
<message>
<source>Newer versions</source>
<translation>Versiones más recientes</translation>
</message>
<message>
<source>Next</source>
<translation>Siguiente</translation>
</message>
<message>
<source>Next month</source>
<translation>Mes siguiente</translation>
</message>
<message>
<source>Next page</source>
<translation>Página siguiente</translation>
</message>
<message>
<source>Next sheet</source>
<translation>Hoja siguiente</translation>
</message>
<message>
<source>No answer</source>
<translation>Sin respuesta</translation>
</message>
<message>
<source>No category</source>
<translation>Sin categoría</translation>
</message>
<message>
<source>No category matches {filter}</source>
<translation>Ninguna categoría coincide con {filter}</translation>
</message>
<message>
<source>No change</source>
<translation>Sin cambios</translation>
</message>
<message>
<source>No change is known between {then} and {now}.</source>
<translation>No se conoce ningún cambio entre el {then} y el {now}.</translation>
</message>
<message>
<source>No change is known in these days.</source>
<translation>No se conoce ningún cambio en estos días.</translation>
</message>
<message>
<source>No change is known since {time}.</source>
<translation>No se conoce ningún cambio desde {time}.</translation>
</message>
<message>
<source>No change is refused, in conflict or unconfirmed.</source>
<translation>No hay cambios rechazados, en conflicto ni sin confirmar.</translation>
</message>
<message>
<source>No change of this record is known, neither yours nor anybody else’s.</source>
<translation>No se conoce ningún cambio de este registro, ni suyo ni de nadie más.</translation>
</message>
<message>
<source>No changes yet</source>
<translation>Aún no hay cambios</translation>
</message>
<message>
<source>No code is remembered yet.</source>
<translation>Aún no se recuerda ningún código.</translation>
</message>
<message>
<source>No colour</source>
<translation>Sin color</translation>
</message>
<message numerus="yes">
<source>No column surely says how many came: each of the {n} pasted lines counts as 1. Undo takes all of them back.</source>
<translation>
<numerusform>Ninguna columna dice con seguridad cuántos llegaron: la línea pegada cuenta como 1.</numerusform>
<numerusform>Ninguna columna dice con seguridad cuántos llegaron: cada una de las {n} líneas pegadas cuenta como 1. «Deshacer» las quita todas.</numerusform>
</translation>
</message>
<message>
<source>No date</source>
<translation>Sin fecha</translation>
</message>
<message>
<source>No filter can exclude just this.</source>
<translation>Ningún filtro puede excluir solo esto.</translation>
</message>
<message>
<source>No filter is set.</source>
<translation>No hay ningún filtro.</translation>
</message>
<message>
<source>No history</source>
<translation>Sin historial</translation>
</message>
<message>
<source>No limits</source>
<translation>Sin límites</translation>
</message>
<message>
<source>No longer in stock</source>
<translation>Ya no está en stock</translation>
</message>
<message>
<source>No longer there</source>
<translation>Ya no existe</translation>
</message>
<message>
<source>No matching change</source>
<translation>Ningún cambio coincide</translation>
</message>
<message>
<source>No minimum stock is set</source>
<translation>No hay ningún stock mínimo establecido</translation>
</message>
<message>
<source>No more than {most} labels at once.</source>
<translation>No más de {most} etiquetas a la vez.</translation>
</message>
<message>
<source>No name stands twice in a category</source>
<translation>Ningún nombre se repite en una categoría</translation>
</message>
<message numerus="yes">
<source>No network for {n} seconds</source>
<translation>
<numerusform>Sin red durante {n} segundo</numerusform>
<numerusform>Sin red durante {n} segundos</numerusform>
</translation>
</message>
<message>
<source>No open orders</source>
<translation>No hay pedidos abiertos</translation>
</message>
<message>
<source>No order is overdue</source>
<translation>No hay ningún pedido atrasado</translation>
</message>
<message>
<source>No order is overdue, and no pet is low.</source>
<translation>No hay ningún pedido atrasado ni ninguna mascota con existencias bajas.</translation>
</message>
<message>
<source>No order is overdue.</source>
<translation>No hay ningún pedido atrasado.</translation>
</message>
<message>
<source>No order matches {filter}</source>
<translation>Ningún pedido coincide con {filter}</translation>
</message>
<message>
<source>No page has these words. Try fewer, or others.</source>
<translation>Ninguna página tiene estas palabras. Pruebe con menos o con otras.</translation>
</message>
<message>
<source>No path of the document names pets, categories, orders or stock, so nothing is used.</source>
<translation>Ninguna ruta del documento menciona mascotas, categorías, pedidos ni stock, así que no se usa nada.</translation>
</message>
<message>
<source>No pet has the code {code}</source>
<translation>Ninguna mascota tiene el código {code}</translation>
</message>
<message>
<source>No pet has the id {id}. To enter that many pieces, type {typed}.</source>
<translation>Ninguna mascota tiene el id {id}. Para introducir esa cantidad de unidades, escriba {typed}.</translation>
</message>
<message>
<source>No pet has this code yet</source>
<translation>Ninguna mascota tiene aún este código</translation>
</message>
<message>
<source>No pet is called that</source>
<translation>Ninguna mascota se llama así</translation>
</message>
<message>
<source>No pet is called that.</source>
<translation>Ninguna mascota se llama así.</translation>
</message>
<message>
<source>No pet is called {name}, or has this id</source>
<translation>Ninguna mascota se llama {name} ni tiene este id</translation>
</message>
<message>
<source>No pet matches {filter}</source>
<translation>Ninguna mascota coincide con {filter}</translation>
</message>
<message>
<source>No pet that was read is called that; not all of the pets are here.</source>
<translation>Ninguna mascota leída se llama así; no están aquí todas las mascotas.</translation>
</message>
<message>
<source>No pet: {code}</source>
<comment>a bar code that no pet has</comment>
<translation>Ninguna mascota: {code}</translation>
</message>
<message>
<source>No pets chosen</source>
<translation>Ninguna mascota elegida</translation>
</message>
<message>
<source>No problems found.</source>
<translation>No se han encontrado problemas.</translation>
</message>
<message>
<source>No program here opens {file}.</source>
<translation>Aquí ningún programa abre {file}.</translation>
</message>
<message>
<source>No record of these lists can be used: {lists} ({why}).</source>
<translation>No se puede usar ningún registro de estas listas: {lists} ({why}).</translation>
</message>
<message>
<source>No requests are left: next try in {left}</source>
<translation>No quedan solicitudes: próximo intento dentro de {left}</translation>
</message>
<message>
<source>No requests yet</source>
<translation>Aún no hay solicitudes</translation>
</message>
<message>
<source>No secure connection to {host} is possible: its certificate is not trusted.</source>
<translation>No es posible una conexión segura con {host}: su certificado no es de confianza.</translation>
</message>
<message>
<source>No sold pet has stock</source>
<translation>Ninguna mascota vendida tiene stock</translation>
</message>
<message>
<source>No sound</source>
<translation>Sin sonido</translation>
</message>
<message>
<source>No stock</source>
<translation>No hay stock</translation>
</message>
<message>
<source>No stock entry matches {filter}</source>
<translation>Ninguna ficha de stock coincide con {filter}</translation>
</message>
<message>
<source>No stock is below zero</source>
<translation>No hay stock negativo</translation>
</message>
<message>
<source>No stock is low</source>
<translation>No hay stock bajo</translation>
</message>
<message>
<source>No stock is low.</source>
<translation>No hay stock bajo.</translation>
</message>
<message>
<source>No unknown codes</source>
<translation>No hay códigos desconocidos</translation>
</message>
<message>
<source>No.</source>
<translation>N.º</translation>
</message>
<message>
<source>None</source>
<translation>Ninguno</translation>
</message>
<message>
<source>None</source>
<comment>no code on a label</comment>
<translation>Ninguno</translation>
</message>
<message>
<source>None in stock.</source>
<translation>Sin stock.</translation>
</message>
<message>
<source>None is shown; all are safe there.</source>
<translation>No se muestra ninguno; allí están todos a salvo.</translation>
</message>
<message>
<source>None left</source>
<translation>Agotado</translation>
</message>
<message>
<source>None of it is on this computer yet.</source>
<translation>Aún no hay nada en este equipo.</translation>
</message>
<message>
<source>None of these rows fits the filter any more. Refresh takes them away.</source>
<translation>Ninguna de estas filas cumple ya el filtro. Al actualizar se quitan.</translation>
</message>
<message numerus="yes">
<source>None of {n} changes matches.</source>
<translation>
<numerusform>El único cambio no coincide.</numerusform>
<numerusform>Ninguno de los {n} cambios coincide.</numerusform>
</translation>
</message>
<message>
<source>None of {things} can be shown</source>
<translation>No se pueden mostrar {things}</translation>
</message>
<message>
<source>Not all categories have been read: whether there is this one is not known.</source>
<translation>No se han leído todas las categorías: no se sabe si esta existe.</translation>
</message>
<message>
<source>Not all of the list has been read: whether there is a record #{id} is not known.</source>
<translation>La lista no se ha leído entera: no se sabe si existe el registro #{id}.</translation>
</message>
<message>
<source>Not all pets have been read: whether there is this one is not known.</source>
<translation>No se han leído todas las mascotas: no se sabe si esta existe.</translation>
</message>
<message>
<source>Not among the pets that are counted: tick it, or leave it</source>
<translation>No está entre las mascotas del recuento: marcarla o dejarla</translation>
</message>
<message>
<source>Not available now.</source>
<translation>No disponible ahora.</translation>
</message>
<message>
<source>Not booked yet</source>
<translation>Aún sin registrar</translation>
</message>
<message>
<source>Not booked yet: {typed} is still in the field. Enter takes it, Esc clears it</source>
<translation>Aún no se ha registrado: {typed} sigue en el campo. Intro lo acepta, Esc lo borra</translation>
</message>
<message>
<source>Not checked, because not all of it is here: {lists}.</source>
<translation>No se ha comprobado, porque no está todo aquí: {lists}.</translation>
</message>
<message>
<source>Not checked: something else is in the way.</source>
<translation>Sin comprobar: otro problema lo impide.</translation>
</message>
<message>
<source>Not chosen</source>
<translation>Sin elegir</translation>
</message>
<message>
<source>Not compared with the shop since it was counted</source>
<translation>No se ha comparado con la tienda desde el recuento</translation>
</message>
<message>
<source>Not compared with the shop yet</source>
<translation>Aún sin comparar con la tienda</translation>
</message>
<message>
<source>Not counted, because not all of it is here: {lists}.</source>
<translation>No se ha contado, porque no está todo aquí: {lists}.</translation>
</message>
<message>
<source>Not found among the fields of {things}: {fields}.</source>
<translation>No encontrado entre los campos de {things}: {fields}.</translation>
</message>
<message>
<source>Not known</source>
<translation>Desconocido</translation>
</message>
<message>
<source>Not known.</source>
<translation>Desconocido.</translation>
</message>
<message>
<source>Not low</source>
<translation>Suficiente</translation>
</message>
<message>
<source>Not offered by the service: {lists}.</source>
<translation>El servicio no ofrece: {lists}.</translation>
</message>
<message>
<source>Not possible without it: {what}.</source>
<translation>Sin esto no es posible: {what}.</translation>
</message>
<message>
<source>Not possible: {what}. {endpoint} was not taken: {why}.</source>
<translation>No es posible: {what}. No se ha usado {endpoint}: {why}.</translation>
</message>
<message>
<source>Not saved yet</source>
<translation>Aún sin guardar</translation>
</message>
<message>
<source>Not saved:</source>
<translation>Sin guardar:</translation>
</message>
<message>
<source>Not saved: the disk of this computer takes nothing. Free some space, then go on.</source>
<translation>No se ha guardado: el disco de este equipo no admite nada. Libere espacio y continúe.</translation>
</message>
<message>
<source>Not saved: this computer’s disk takes nothing more</source>
<translation>No se ha guardado: el disco de este equipo no admite nada más</translation>
</message>
<message>
<source>Not sent yet</source>
<translation>Cambios sin enviar</translation>
</message>
<message>
<source>Not sent: {said}. Your change is kept here.</source>
<translation>No enviado: {said}. Su cambio se conserva aquí.</translation>
</message>
<message>
<source>Not sent: {said}. {record} is kept here</source>
<translation>No enviado: {said}. {record} se conserva aquí</translation>
</message>
<message>
<source>Not tried: there is nothing to read with it.</source>
<translation>Sin probar: no hay nada que leer con ella.</translation>
</message>
<message>
<source>Not used</source>
<translation>No se usa</translation>
</message>
<message>
<source>Not wholly read yet: {lists}.</source>
<translation>Aún sin leer por completo: {lists}.</translation>
</message>
<message>
<source>Note</source>
<translation>Nota</translation>
</message>
<message>
<source>Note on this count</source>
<translation>Nota de este recuento</translation>
</message>
<message>
<source>Nothing begins with {text}.</source>
<translation>Nada empieza por {text}.</translation>
</message>
<message>
<source>Nothing begins with {text}. Use: {words}.</source>
<translation>Nada empieza por {text}. Use: {words}.</translation>
</message>
<message>
<source>Nothing can change backwards.</source>
<translation>Nada puede cambiar hacia atrás.</translation>
</message>
<message>
<source>Nothing changed</source>
<translation>No ha cambiado nada</translation>
</message>
<message>
<source>Nothing changed between {then} and {now}.</source>
<translation>Nada cambió entre el {then} y el {now}.</translation>
</message>
<message>
<source>Nothing changed since {time}, when the history began.</source>
<translation>No ha cambiado nada desde {time}, cuando empezó el historial.</translation>
</message>
<message>
<source>Nothing changed since {time}.</source>
<translation>No ha cambiado nada desde {time}.</translation>
</message>
<message>
<source>Nothing changes at the service.</source>
<translation>En el servicio no cambia nada.</translation>
</message>
<message>
<source>Nothing else is sent until it is answered.</source>
<translation>No se envía nada más hasta que llegue la respuesta.</translation>
</message>
<message>
<source>Nothing found for {text}</source>
<translation>No se ha encontrado nada para {text}</translation>
</message>
<message>
<source>Nothing found for {text}; not all of the shop is here</source>
<translation>No se ha encontrado nada para {text}; no está aquí toda la tienda</translation>
</message>
<message numerus="yes">
<source>Nothing here belongs to them.</source>
<translation>
<numerusform>Aquí no depende nada de ella.</numerusform>
<numerusform>Aquí no depende nada de ellas.</numerusform>
</translation>
</message>
<message>
<source>Nothing here needs attention</source>
<translation>Aquí nada requiere atención</translation>
</message>
<message>
<source>Nothing here was changed today</source>
<translation>Aquí no se ha modificado nada hoy</translation>
</message>
<message>
<source>Nothing here was removed or overwritten; the rows read before stay.</source>
<translation>Aquí no se ha borrado ni sobrescrito nada; las filas leídas antes se conservan.</translation>
</message>
<message>
<source>Nothing in it was waiting to be sent. Only the list of changes is shorter now.</source>
<translation>No contenía nada pendiente de enviar. Solo la lista de cambios es ahora más corta.</translation>
</message>
<message>
<source>Nothing is due this week</source>
<translation>No hay envíos previstos esta semana</translation>
</message>
<message>
<source>Nothing is lost by waiting. {saved}</source>
<translation>Esperando no se pierde nada. {saved}</translation>
</message>
<message>
<source>Nothing is low</source>
<translation>No hay stock bajo</translation>
</message>
<message>
<source>Nothing is on this computer yet</source>
<translation>Aún no hay nada en este equipo</translation>
</message>
<message>
<source>Nothing is saved yet: a preview comes next.</source>
<translation>Aún no se guarda nada: antes verá una vista previa.</translation>
</message>
<message>
<source>Nothing is sent to this shop. Change this in File &gt; Connection settings.</source>
<translation>No se envía nada a esta tienda. Se cambia en Archivo &gt; Ajustes de la conexión.</translation>
</message>
<message>
<source>Nothing listens at {host}; nothing was sent.</source>
<translation>Nada escucha en {host}; no se ha enviado nada.</translation>
</message>
<message>
<source>Nothing needs attention</source>
<translation>Nada requiere atención</translation>
</message>
<message>
<source>Nothing proves that it was done, and the service shows what was there before. Either yours never arrived, or it arrived and somebody else set it back.</source>
<translation>Nada demuestra que se hizo, y el servicio muestra lo que había antes. O su cambio nunca llegó, o llegó y otra persona lo revirtió.</translation>
</message>
<message>
<source>Nothing proves that it was done, and the stock is another. Either your {booked} arrived and somebody else booked too, or it never arrived.</source>
<translation>Nada demuestra que se hizo, y el stock tiene otro valor. O su movimiento ({booked}) llegó y otra persona registró otro, o nunca llegó.</translation>
</message>
<message>
<source>Nothing proves that it was done, and the stock is as before. Either your {booked} never arrived, or it arrived and somebody else booked the opposite.</source>
<translation>Nada demuestra que se hizo, y el stock está como antes. O su movimiento ({booked}) nunca llegó, o llegó y otra persona registró el contrario.</translation>
</message>
<message>
<source>Nothing proves that it was done, and the stock is as with your {booked}. Either it arrived, or it never did and somebody else booked the same.</source>
<translation>Nada demuestra que se hizo, y el stock es el que daría su movimiento ({booked}). O ese movimiento llegó, o nunca llegó y otra persona registró el mismo.</translation>
</message>
<message>
<source>Nothing to book: scan what came in.</source>
<translation>No hay nada que registrar: escanee lo que ha llegado.</translation>
</message>
<message>
<source>Nothing to change</source>
<translation>Nada que modificar</translation>
</message>
<message>
<source>Nothing to change: it already has this value.</source>
<translation>Nada que modificar: ya tiene este valor.</translation>
</message>
<message>
<source>Nothing to paste: copy cells or a text first.</source>
<translation>No hay nada que pegar: copie antes celdas o un texto.</translation>
</message>
<message>
<source>Nothing to save</source>
<translation>Nada que guardar</translation>
</message>
<message>
<source>Nothing was changed.</source>
<translation>No se ha modificado nada.</translation>
</message>
<message>
<source>Nothing was overwritten; your change is kept here.</source>
<translation>No se ha sobrescrito nada; su cambio se conserva aquí.</translation>
</message>
<message>
<source>Nothing was read from it or written to it.</source>
<translation>No se ha leído ni escrito nada en él.</translation>
</message>
<message>
<source>Nothing was read.</source>
<translation>No se ha leído nada.</translation>
</message>
<message>
<source>Nothing was seen to change in these days.</source>
<translation>No se ha detectado ningún cambio en estos días.</translation>
</message>
<message>
<source>Nothing was sent, not even the key. You can read and edit the data on this computer.</source>
<translation>No se ha enviado nada, ni siquiera la clave. Se pueden leer y editar los datos de este equipo.</translation>
</message>
<message>
<source>Nothing was sent.</source>
<translation>No se ha enviado nada.</translation>
</message>
<message>
<source>Nothing was written.</source>
<translation>No se ha escrito nada.</translation>
</message>
<message>
<source>Now</source>
<translation>Ahora</translation>
</message>
<message>
<source>Now the network fails. You go on working; nothing is lost.</source>
<translation>Ahora falla la red. Usted sigue trabajando; no se pierde nada.</translation>
</message>
<message>
<source>Now {time}</source>
<translation>Ahora {time}</translation>
</message>
<message>
<source>Numbers</source>
<translation>Números</translation>
</message>
<message>
<source>Numbers of now as of {time}.</source>
<translation>Cifras actuales según datos de {time}.</translation>
</message>
<message>
<source>OK</source>
<translation>OK</translation>
</message>
<message>
<source>OK: {checks}</source>
<translation>OK: {checks}</translation>
</message>
<message>
<source>Off</source>
<translation>Desactivado</translation>
</message>
<message>
<source>Offered</source>
<translation>Ofrecida</translation>
</message>
<message>
<source>Offline since {time}. The program tries again now, and keeps trying</source>
<translation>Sin conexión desde {time}. El programa lo intenta ahora de nuevo y lo sigue intentando</translation>
</message>
<message>
<source>Offline since {time}: the service cannot be reached</source>
<translation>Sin conexión desde {time}: no se puede acceder al servicio</translation>
</message>
<message>
<source>Offline: the program tries again now; nothing has changed here</source>
<translation>Sin conexión: el programa lo intenta ahora de nuevo; aquí no ha cambiado nada</translation>
</message>
<message>
<source>Old value</source>
<translation>Valor anterior</translation>
</message>
<message>
<source>Olive</source>
<translation>Oliva</translation>
</message>
<message>
<source>On</source>
<translation>Activado</translation>
</message>
<message>
<source>On each label</source>
<translation>En cada etiqueta</translation>
</message>
<message>
<source>On its way to the service.</source>
<translation>De camino al servicio.</translation>
</message>
<message>
<source>One day…</source>
<translation>Un día…</translation>
</message>
<message>
<source>One file at a time, please.</source>
<translation>Importe los archivos de uno en uno.</translation>
</message>
<message>
<source>One moment.</source>
<translation>Un momento.</translation>
</message>
<message>
<source>One name per line. Saved at once, then sent.</source>
<translation>Un nombre por línea. Se guarda al momento y después se envía.</translation>
</message>
<message>
<source>One order for {pet}, to ship on {day}.</source>
<translation>Un pedido de {pet}, con envío el {day}.</translation>
</message>
<message>
<source>One order for {pet}, to ship today.</source>
<translation>Un pedido de {pet}, con envío hoy.</translation>
</message>
<message>
<source>One order for {pet}.</source>
<translation>Un pedido de {pet}.</translation>
</message>
<message>
<source>Only in {tabs}.</source>
<translation>Solo en {tabs}.</translation>
</message>
<message>
<source>Only the history is affected; nothing else is.</source>
<translation>Solo afecta al historial; a nada más.</translation>
</message>
<message>
<source>Only what the list shows: {view}</source>
<translation>Solo lo que muestra la lista: {view}</translation>
</message>
<message numerus="yes">
<source>Only {n} in stock.</source>
<translation>
<numerusform>Solo queda {n} en stock.</numerusform>
<numerusform>Solo quedan {n} en stock.</numerusform>
</translation>
</message>
<message>
<source>Open</source>
<translation>Abrir</translation>
</message>
<message>
<source>Open &amp;log folder</source>
<translation>Abrir carpeta de archivos de &amp;registro</translation>
</message>
<message>
<source>Open Today</source>
<translation>Abrir la pestaña Hoy</translation>
</message>
<message>
<source>Open licences</source>
<translation>Abrir las licencias</translation>
</message>
<message>
<source>Open orders</source>
<translation>Pedidos abiertos</translation>
</message>
<message>
<source>Open the demo shop</source>
<translation>Abrir la tienda demo</translation>
</message>
<message>
<source>Open the folder</source>
<translation>Abrir la carpeta</translation>
</message>
<message>
<source>Open the list</source>
<translation>Abrir la lista</translation>
</message>
<message>
<source>Open the list, and make the missing changes again.</source>
<translation>Abra la lista y repita los cambios que falten.</translation>
</message>
<message>
<source>Open the manual (F1)</source>
<translation>Abrir el manual (F1)</translation>
</message>
<message>
<source>Open the tab that was shown last</source>
<translation>Abrir la última pestaña mostrada</translation>
</message>
<message>
<source>OpenAPI document</source>
<translation>Documento OpenAPI</translation>
</message>
<message>
<source>OpenAPI document (optional)</source>
<translation>Documento OpenAPI (opcional)</translation>
</message>
<message>
<source>OpenAPI documents and profiles (*.json *.yaml *.yml *.toml)</source>
<translation>Documentos OpenAPI y perfiles (*.json *.yaml *.yml *.toml)</translation>
</message>
<message>
<source>Operation</source>
<translation>Operación</translation>
</message>
<message>
<source>Operations</source>
<translation>Operaciones</translation>
</message>
<message>
<source>Operations of this service</source>
<translation>Operaciones de este servicio</translation>
</message>
<message>
<source>Operations…</source>
<translation>Operaciones…</translation>
</message>
<message>
<source>Or type it</source>
<translation>O escríbalo</translation>
</message>
<message>
<source>Order</source>
<translation>Pedido</translation>
</message>
<message>
<source>Order</source>
<comment>header of the order’s id</comment>
<translation>Pedido</translation>
</message>
<message>
<source>Order</source>
<comment>one that has no id yet</comment>
<translation>Pedido</translation>
</message>
<message>
<source>Order id</source>
<translation>Id de pedido</translation>
</message>
<message>
<source>Order of a pet that does not exist</source>
<translation>Pedido de una mascota que no existe</translation>
</message>
<message>
<source>Order up to</source>
<translation>Pedir hasta</translation>
</message>
<message>
<source>Order without an id</source>
<translation>Pedido sin id</translation>
</message>
<message>
<source>Order {id}</source>
<translation>Pedido {id}</translation>
</message>
<message>
<source>Order {id}, {count} {pet}</source>
<translation>Pedido {id}, {count} {pet}</translation>
</message>
<message>
<source>Order {id}, {pet}</source>
<translation>Pedido {id}, {pet}</translation>
</message>
<message>
<source>Order {id}: {pet}</source>
<translation>Pedido {id}: {pet}</translation>
</message>
<message>
<source>Order {what} up to {most} in stock</source>
<translation>Pedir hasta {most} en stock: {what}</translation>
</message>
<message>
<source>Orders</source>
<translation>Pedidos</translation>
</message>
<message>
<source>Orders by ship date</source>
<translation>Pedidos por fecha de envío</translation>
</message>
<message>
<source>Orders by ship date, as they are now</source>
<translation>Pedidos por fecha de envío, como están ahora</translation>
</message>
<message>
<source>Orders by ship date, last week and this week</source>
<translation>Pedidos por fecha de envío, semana pasada y esta semana</translation>
</message>
<message>
<source>Orders changed today</source>
<translation>Pedidos modificados hoy</translation>
</message>
<message>
<source>Orders completed</source>
<translation>Pedidos completados</translation>
</message>
<message>
<source>Orders for more than is in stock</source>
<translation>Pedidos que superan el stock</translation>
</message>
<message>
<source>Orders of pets that do not exist</source>
<translation>Pedidos de mascotas que no existen</translation>
</message>
<message>
<source>Orders of this pet</source>
<translation>Pedidos de esta mascota</translation>
</message>
<message>
<source>Orders placed</source>
<translation>Pedidos realizados</translation>
</message>
<message>
<source>Orders that come in at the service are shown here.</source>
<translation>Aquí se muestran los pedidos que llegan al servicio.</translation>
</message>
<message>
<source>Orders that need attention</source>
<translation>Pedidos que requieren atención</translation>
</message>
<message>
<source>Other changes</source>
<translation>Otros cambios</translation>
</message>
<message>
<source>Other fields of the service</source>
<translation>Otros campos del servicio</translation>
</message>
<message>
<source>Other fields of {things}, which are shown in the details: {fields}.</source>
<translation>Otros campos de {things}, que se muestran en los detalles: {fields}.</translation>
</message>
<message>
<source>Others with the same key</source>
<translation>Otros con la misma clave</translation>
</message>
<message>
<source>Outbo&amp;x</source>
<translation>Bande&amp;ja de salida</translation>
</message>
<message>
<source>Outbox</source>
<translation>Bandeja de salida</translation>
</message>
<message>
<source>Overdue</source>
<translation>Atrasados</translation>
</message>
<message>
<source>Overdue orders</source>
<translation>Pedidos atrasados</translation>
</message>
<message>
<source>Overdue orders now</source>
<translation>Pedidos atrasados ahora</translation>
</message>
<message numerus="yes">
<source>Overdue orders now: {n}</source>
<translation>
<numerusform>Pedidos atrasados ahora: {n}</numerusform>
<numerusform>Pedidos atrasados ahora: {n}</numerusform>
</translation>
</message>
<message>
<source>Own line</source>
<translation>Línea personalizada</translation>
</message>
<message>
<source>Own size of labels</source>
<translation>Tamaño de etiqueta personalizado</translation>
</message>
<message>
<source>Own size, {columns} × {rows}, {width} × {height} mm</source>
<translation>Tamaño personalizado, {columns} × {rows}, {width} × {height} mm</translation>
</message>
<message>
<source>Own size…</source>
<translation>Tamaño personalizado…</translation>
</message>
<message>
<source>P&amp;ut all shown into a category…</source>
<translation>Asigna&amp;r todo lo mostrado a una categoría…</translation>
</message>
<message>
<source>P&amp;ut into a category…</source>
<translation>Asigna&amp;r a una categoría…</translation>
</message>
<message>
<source>PDF file</source>
<translation>Archivo PDF</translation>
</message>
<message>
<source>Page of the manual</source>
<translation>Página del manual</translation>
</message>
<message>
<source>Pages of the manual</source>
<translation>Páginas del manual</translation>
</message>
<message>
<source>Paste</source>
<translation>Pegado</translation>
</message>
<message>
<source>Paste lines</source>
<translation>Pegar líneas</translation>
</message>
<message>
<source>Path</source>
<translation>Ruta</translation>
</message>
<message>
<source>Pause</source>
<translation>Pausar</translation>
</message>
<message>
<source>Pauses are exact all the same: they are counted, not read from a clock.</source>
<translation>De todos modos, las pausas son exactas: se cuentan, no se leen de un reloj.</translation>
</message>
<message>
<source>Pending</source>
<translation>Pendientes</translation>
</message>
<message>
<source>Period</source>
<translation>Periodo</translation>
</message>
<message>
<source>Person</source>
<translation>Persona</translation>
</message>
<message>
<source>Pet</source>
<translation>Mascota</translation>
</message>
<message>
<source>Pet Store Desktop</source>
<translation>Pet Store Desktop</translation>
</message>
<message>
<source>Pet Store Desktop did not end as it should the last time.</source>
<translation>Pet Store Desktop no se cerró correctamente la última vez.</translation>
</message>
<message>
<source>Pet Store Desktop is free software under the MIT licence. It uses Qt and PySide6 under the GNU Lesser General Public License, version 3. They are separate libraries beside the program: you may replace them with your own, and you may take the program apart to debug such a change.</source>
<translation>Pet Store Desktop es software libre con la licencia MIT. Usa Qt y PySide6 con la Licencia Pública General Reducida de GNU (LGPL), versión 3. Son bibliotecas separadas, junto al programa: puede reemplazarlas por las suyas y aplicar ingeniería inversa al programa para depurar ese cambio.</translation>
</message>
<message>
<source>Pet Store Desktop {version} is available: Help &gt; About Pet Store Desktop.</source>
<translation>Pet Store Desktop {version} está disponible: Ayuda &gt; Acerca de Pet Store Desktop.</translation>
</message>
<message>
<source>Pet id</source>
<translation>Id de mascota</translation>
</message>
<message>
<source>Pets</source>
<translation>Mascotas</translation>
</message>
<message>
<source>Pets as the program reads them</source>
<translation>Mascotas tal como las lee el programa</translation>
</message>
<message>
<source>Pets found</source>
<translation>Mascotas encontradas</translation>
</message>
<message>
<source>Pets of the same name</source>
<translation>Mascotas con el mismo nombre</translation>
</message>
<message>
<source>Pets sold</source>
<translation>Mascotas vendidas</translation>
</message>
<message>
<source>Pets without a category</source>
<translation>Mascotas sin categoría</translation>
</message>
<message>
<source>Pet’s name</source>
<translation>Nombre de mascota</translation>
</message>
<message>
<source>Pieces in stock</source>
<translation>Unidades en stock</translation>
</message>
<message>
<source>Pieces in stock by category</source>
<translation>Unidades en stock por categoría</translation>
</message>
<message>
<source>Place order</source>
<translation>Crear pedido</translation>
</message>
<message>
<source>Plan</source>
<translation>Plan</translation>
</message>
<message>
<source>Pr&amp;int this list…</source>
<translation>Im&amp;primir esta lista…</translation>
</message>
<message>
<source>Pre&amp;ferences…</source>
<translation>Preferenci&amp;as…</translation>
</message>
<message>
<source>Pre&amp;vious tab</source>
<translation>Pestaña a&amp;nterior</translation>
</message>
<message>
<source>Preferences</source>
<translation>Preferencias</translation>
</message>
<message>
<source>Preparing…</source>
<translation>Preparando…</translation>
</message>
<message>
<source>Preview</source>
<translation>Vista previa</translation>
</message>
<message>
<source>Preview of the labels</source>
<translation>Vista previa de las etiquetas</translation>
</message>
<message numerus="yes">
<source>Preview {n} rows</source>
<translation>
<numerusform>Vista previa de {n} fila</numerusform>
<numerusform>Vista previa de {n} filas</numerusform>
</translation>
</message>
<message>
<source>Preview: {page}, {start}</source>
<translation>Vista previa: {page}, {start}</translation>
</message>
<message>
<source>Preview: {what}</source>
<translation>Vista previa: {what}</translation>
</message>
<message>
<source>Previous month</source>
<translation>Mes anterior</translation>
</message>
<message>
<source>Previous page</source>
<translation>Página anterior</translation>
</message>
<message>
<source>Previous sheet</source>
<translation>Hoja anterior</translation>
</message>
<message>
<source>Print</source>
<translation>Imprimir</translation>
</message>
<message>
<source>Print at 100 %, not “fit to page”. These choices are kept for the next time.</source>
<translation>Imprima al 100 %, no con «ajustar a la página». Estas opciones se conservan para la próxima vez.</translation>
</message>
<message>
<source>Print labels</source>
<translation>Imprimir etiquetas</translation>
</message>
<message>
<source>Print one to try</source>
<translation>Imprimir una de prueba</translation>
</message>
<message>
<source>Print the changes</source>
<translation>Imprimir los cambios</translation>
</message>
<message>
<source>Print the whole manual…</source>
<translation>Imprimir todo el manual…</translation>
</message>
<message numerus="yes">
<source>Print {n} labels</source>
<translation>
<numerusform>Imprimir {n} etiqueta</numerusform>
<numerusform>Imprimir {n} etiquetas</numerusform>
</translation>
</message>
<message>
<source>Print {view}</source>
<translation>Imprimir {view}</translation>
</message>
<message>
<source>Printing did not finish. Check the printer, or save a PDF.</source>
<translation>La impresión no ha terminado. Compruebe la impresora o guarde un PDF.</translation>
</message>
<message>
<source>Print…</source>
<translation>Imprimir…</translation>
</message>
<message>
<source>Profiles (*.toml)</source>
<translation>Perfiles (*.toml)</translation>
</message>
<message>
<source>Program</source>
<translation>Programa</translation>
</message>
<message>
<source>Progress</source>
<translation>Progreso</translation>
</message>
<message>
<source>Protocol as &amp;CSV…</source>
<translation>Acta en &amp;CSV…</translation>
</message>
<message>
<source>Protocol as &amp;PDF…</source>
<translation>Acta en &amp;PDF…</translation>
</message>
<message>
<source>Protocol of the count</source>
<translation>Acta del recuento</translation>
</message>
<message>
<source>Proxy</source>
<translation>Proxy</translation>
</message>
<message>
<source>Put away</source>
<translation>Ocultar</translation>
</message>
<message>
<source>Put away until there are more: {what}</source>
<translation>Oculto hasta que haya más: {what}</translation>
</message>
<message>
<source>Put it back, or choose another one for the connection.</source>
<translation>Vuelva a ponerlo en su sitio o elija otro para la conexión.</translation>
</message>
<message>
<source>QR</source>
<translation>QR</translation>
</message>
<message>
<source>Quantity</source>
<translation>Cantidad</translation>
</message>
<message>
<source>Quantity can’t be negative.</source>
<translation>La cantidad no puede ser negativa.</translation>
</message>
<message>
<source>Quit the program and start it again.</source>
<translation>Salga del programa e inícielo de nuevo.</translation>
</message>
<message>
<source>R&amp;efresh</source>
<translation>Actuali&amp;zar</translation>
</message>
<message>
<source>Re&amp;quests</source>
<translation>Sol&amp;icitudes</translation>
</message>
<message>
<source>Read {age}.</source>
<translation>Según {age}.</translation>
</message>
<message>
<source>Read-only</source>
<translation>Solo lectura</translation>
</message>
<message>
<source>Read-only, not changed: {columns}.</source>
<translation>De solo lectura, sin modificar: {columns}.</translation>
</message>
<message>
<source>Read-only: send no change to this shop</source>
<translation>Solo lectura: no enviar ningún cambio a esta tienda</translation>
</message>
<message>
<source>Reading one category</source>
<translation>Lectura de una categoría</translation>
</message>
<message>
<source>Reading one order</source>
<translation>Lectura de un pedido</translation>
</message>
<message>
<source>Reading one pet</source>
<translation>Lectura de una mascota</translation>
</message>
<message>
<source>Reading the history…</source>
<translation>Leyendo el historial…</translation>
</message>
<message>
<source>Reading the list of categories</source>
<translation>Lectura de la lista de categorías</translation>
</message>
<message>
<source>Reading the list of orders</source>
<translation>Lectura de la lista de pedidos</translation>
</message>
<message>
<source>Reading the list of pets</source>
<translation>Lectura de la lista de mascotas</translation>
</message>
<message>
<source>Reading the shop: {done}</source>
<translation>Leyendo la tienda: {done}</translation>
</message>
<message>
<source>Reading the shop: {done} of {total}</source>
<translation>Leyendo la tienda: {done} de {total}</translation>
</message>
<message>
<source>Reading the stock list once, to see what moved since. Press the button again to go on without it.</source>
<translation>Se lee una vez la lista de stock, para ver qué ha cambiado desde entonces. Pulse de nuevo el botón para seguir sin ella.</translation>
</message>
<message>
<source>Reading the stock of all pets</source>
<translation>Lectura del stock de todas las mascotas</translation>
</message>
<message>
<source>Reading the stock of one pet</source>
<translation>Lectura del stock de una mascota</translation>
</message>
<message>
<source>Reading was stopped</source>
<translation>La lectura se ha detenido</translation>
</message>
<message>
<source>Reading {things}</source>
<translation>Leyendo {things}</translation>
</message>
<message>
<source>Reads a little of each list and changes nothing.</source>
<translation>Lee un poco de cada lista y no modifica nada.</translation>
</message>
<message>
<source>Reads a small file once a week. Nothing about you or your shop is sent.</source>
<translation>Lee un pequeño archivo una vez por semana. No se envía nada sobre usted ni su tienda.</translation>
</message>
<message>
<source>Reason</source>
<translation>Motivo</translation>
</message>
<message>
<source>Receive</source>
<translation>Recepción</translation>
</message>
<message>
<source>Receive goods</source>
<translation>Recepción de mercancía</translation>
</message>
<message>
<source>Received</source>
<translation>Recibido</translation>
</message>
<message>
<source>Received</source>
<comment>a delivery</comment>
<translation>Recepción</translation>
</message>
<message>
<source>Received: {note}</source>
<translation>Recibido: {note}</translation>
</message>
<message>
<source>Recognise scans everywhere</source>
<translation>Reconocer lecturas en todas partes</translation>
</message>
<message>
<source>Record</source>
<translation>Registro</translation>
</message>
<message>
<source>Record or id</source>
<translation>Registro o id</translation>
</message>
<message>
<source>Record {id} may be a colleague’s: it looks like yours, but the service never confirmed yours. It is not deleted unless you choose to.</source>
<translation>El registro {id} puede ser de otra persona: se parece al suyo, pero el servicio nunca confirmó el suyo. No se elimina si usted no lo decide.</translation>
</message>
<message>
<source>Records</source>
<translation>Registros</translation>
</message>
<message>
<source>Records of this kind do not have the field that was entered.</source>
<translation>Los registros de este tipo no tienen el campo introducido.</translation>
</message>
<message>
<source>Records set aside</source>
<translation>Registros apartados</translation>
</message>
<message>
<source>Redo</source>
<translation>Rehacer</translation>
</message>
<message>
<source>Redo: {what}</source>
<translation>Rehacer: {what}</translation>
</message>
<message>
<source>Redone: {what}</source>
<translation>Rehecho: {what}</translation>
</message>
<message>
<source>Refresh</source>
<translation>Actualizar</translation>
</message>
<message>
<source>Refresh</source>
<comment>what requests were used for</comment>
<translation>Actualización</translation>
</message>
<message>
<source>Refresh the list to see what is there now.</source>
<translation>Actualice la lista para ver lo que hay ahora.</translation>
</message>
<message>
<source>Refresh the list.</source>
<translation>Actualice la lista.</translation>
</message>
<message>
<source>Refused</source>
<translation>Rechazados</translation>
</message>
<message>
<source>Refused: {said}. Your change is kept here.</source>
<translation>Rechazado: {said}. Su cambio se conserva aquí.</translation>
</message>
<message>
<source>Refused: {said}. {record} is kept here</source>
<translation>Rechazado: {said}. {record} se conserva aquí</translation>
</message>
<message>
<source>Rehearsal</source>
<translation>Ensayo</translation>
</message>
<message>
<source>Rehearsal of {shop} — Pet Store Desktop</source>
<translation>Ensayo de {shop} — Pet Store Desktop</translation>
</message>
<message>
<source>Rehearsal:</source>
<translation>Ensayo:</translation>
</message>
<message>
<source>Rehearsal: {words}</source>
<translation>Ensayo: {words}</translation>
</message>
<message>
<source>Rehearse</source>
<translation>Ensayar</translation>
</message>
<message>
<source>Rehearse…</source>
<translation>Ensayar…</translation>
</message>
<message>
<source>Rem&amp;ove from the sort</source>
<translation>&amp;Quitar del orden</translation>
</message>
<message>
<source>Remove them from the address, and enter the password as the key.</source>
<translation>Quítelos de la dirección e introduzca la contraseña como clave.</translation>
</message>
<message>
<source>Removed by the service</source>
<translation>Retirada por el servicio</translation>
</message>
<message>
<source>Removed by the service on {day}</source>
<translation>Retirada por el servicio el {day}</translation>
</message>
<message>
<source>Rename</source>
<translation>Renombrar</translation>
</message>
<message>
<source>Rename {things}</source>
<translation>Renombrar {things}</translation>
</message>
<message>
<source>Rename {view}</source>
<translation>Renombrar {view}</translation>
</message>
<message>
<source>Rename {view}…</source>
<translation>Renombrar {view}…</translation>
</message>
<message>
<source>Repeated below; that row counts</source>
<translation>Repetido más abajo; vale esa fila</translation>
</message>
<message>
<source>Replace</source>
<translation>Reemplazar</translation>
</message>
<message>
<source>Report</source>
<translation>Informe</translation>
</message>
<message>
<source>Report, {days}</source>
<translation>Informe, {days}</translation>
</message>
<message>
<source>Reports &amp;by week and month</source>
<translation>Informes semanales &amp;y mensuales</translation>
</message>
<message>
<source>Request</source>
<translation>Solicitud</translation>
</message>
<message>
<source>Requests</source>
<translation>Solicitudes</translation>
</message>
<message>
<source>Requests cannot be recorded: {file} cannot be used.</source>
<translation>No se pueden anotar las solicitudes: {file} no se puede usar.</translation>
</message>
<message>
<source>Requests go through {proxy}. It sees where they go, but neither the key nor the content.</source>
<translation>Las solicitudes pasan por {proxy}. Este ve adónde van, pero no la clave ni el contenido.</translation>
</message>
<message>
<source>Requests le&amp;ft</source>
<translation>Solicitudes re&amp;stantes</translation>
</message>
<message>
<source>Requests left</source>
<translation>Solicitudes restantes</translation>
</message>
<message>
<source>Requests per day</source>
<translation>Solicitudes por día</translation>
</message>
<message>
<source>Requests per minute</source>
<translation>Solicitudes por minuto</translation>
</message>
<message>
<source>Requests today</source>
<translation>Solicitudes de hoy</translation>
</message>
<message>
<source>Requests today: {used}. {words}</source>
<translation>Solicitudes de hoy: {used}. {words}</translation>
</message>
<message>
<source>Requests: this minute {minute}; today {day}</source>
<translation>Solicitudes: este minuto {minute}; hoy {day}</translation>
</message>
<message>
<source>Res&amp;tore built-in views</source>
<translation>&amp;Restaurar las vistas integradas</translation>
</message>
<message>
<source>Reserve and order</source>
<translation>Reservar y crear pedido</translation>
</message>
<message>
<source>Reserve for a caller</source>
<translation>Reservar por teléfono</translation>
</message>
<message>
<source>Reserve for a caller…</source>
<translation>Reservar por teléfono…</translation>
</message>
<message>
<source>Restart the program.</source>
<translation>Reinicie el programa.</translation>
</message>
<message>
<source>Result</source>
<translation>Resultado</translation>
</message>
<message>
<source>Resume</source>
<translation>Reanudar</translation>
</message>
<message>
<source>Resume &amp;now…</source>
<translation>Reanudar a&amp;hora…</translation>
</message>
<message>
<source>Resume now</source>
<translation>Reanudar ahora</translation>
</message>
<message>
<source>Resume now…</source>
<translation>Reanudar ahora…</translation>
</message>
<message>
<source>Review variances</source>
<translation>Revisar diferencias</translation>
</message>
<message numerus="yes">
<source>Review {n} variances</source>
<translation>
<numerusform>Revisar {n} diferencia</numerusform>
<numerusform>Revisar {n} diferencias</numerusform>
</translation>
</message>
<message>
<source>Risk a ban and resume now?</source>
<translation>¿Reanudar ahora con riesgo de suspensión?</translation>
</message>
<message>
<source>Roll, {width} × {height} mm</source>
<translation>Rollo, {width} × {height} mm</translation>
</message>
<message>
<source>Rose</source>
<translation>Rosa</translation>
</message>
<message>
<source>Row</source>
<translation>Fila</translation>
</message>
<message>
<source>Rows</source>
<translation>Filas</translation>
</message>
<message>
<source>Rows of the file</source>
<translation>Filas del archivo</translation>
</message>
<message>
<source>Rows of the file: {changed} to change, {new} new, {same} the same, {wrong} wrong.</source>
<translation>Filas del archivo: {changed} por modificar, {new} nuevas, {same} iguales, {wrong} erróneas.</translation>
</message>
<message>
<source>Rows show as they come.</source>
<translation>Las filas aparecen según llegan.</translation>
</message>
<message>
<source>Runs on</source>
<translation>Se ejecuta en</translation>
</message>
<message>
<source>Rust</source>
<translation>Óxido</translation>
</message>
<message>
<source>Same as system</source>
<translation>Igual que el sistema</translation>
</message>
<message>
<source>Same name twice</source>
<translation>Nombre repetido</translation>
</message>
<message>
<source>Save</source>
<translation>Guardar</translation>
</message>
<message>
<source>Save &amp;changes of this view</source>
<translation>Guardar los &amp;cambios de esta vista</translation>
</message>
<message>
<source>Save PDF</source>
<translation>Guardar PDF</translation>
</message>
<message>
<source>Save anyway</source>
<translation>Guardar igualmente</translation>
</message>
<message>
<source>Save as CSV</source>
<translation>Guardar como CSV</translation>
</message>
<message>
<source>Save as PDF</source>
<translation>Guardar como PDF</translation>
</message>
<message>
<source>Save as profile</source>
<translation>Guardar como perfil</translation>
</message>
<message>
<source>Save as profile…</source>
<translation>Guardar como perfil…</translation>
</message>
<message>
<source>Save it as a file, keep only the parts about pets, categories, orders and stock, and choose that file as the connection’s document.</source>
<translation>Guárdelo como archivo, deje solo las partes sobre mascotas, categorías, pedidos y stock, y elija ese archivo como documento de la conexión.</translation>
</message>
<message>
<source>Save the protocol as CSV</source>
<translation>Guardar el acta como CSV</translation>
</message>
<message>
<source>Save the table as CSV or XLSX, and import that.</source>
<translation>Guarde la tabla como CSV o XLSX e importe ese archivo.</translation>
</message>
<message>
<source>Save this choice of operations?</source>
<translation>¿Guardar esta selección de operaciones?</translation>
</message>
<message>
<source>Save view</source>
<translation>Guardar vista</translation>
</message>
<message>
<source>Save {changes}</source>
<translation>Guardar {changes}</translation>
</message>
<message numerus="yes">
<source>Save {n} values in {changes}</source>
<translation>
<numerusform>Guardar {n} valor en {changes}</numerusform>
<numerusform>Guardar {n} valores en {changes}</numerusform>
</translation>
</message>
<message>
<source>Save {view}</source>
<translation>Guardar {view}</translation>
</message>
<message>
<source>Saved as you count: closing the program loses nothing</source>
<translation>Se guarda al contar: no se pierde nada al cerrar el programa</translation>
</message>
<message>
<source>Saved as you scan: closing the program loses nothing</source>
<translation>Se guarda al escanear: no se pierde nada al cerrar el programa</translation>
</message>
<message>
<source>Saved at once, then sent: 1 request.</source>
<translation>Se guarda al momento y después se envía: 1 solicitud.</translation>
</message>
<message>
<source>Saved changes are safe. Until this is solved nothing can be changed or sent.</source>
<translation>Los cambios guardados están a salvo. Hasta que se resuelva, no se puede modificar ni enviar nada.</translation>
</message>
<message>
<source>Saved on this computer</source>
<translation>Guardado en este equipo</translation>
</message>
<message>
<source>Saved on this computer at once, then sent.</source>
<translation>Se guarda en este equipo al momento y después se envía.</translation>
</message>
<message>
<source>Saved on this computer {time}.</source>
<translation>Guardado en este equipo ({time}).</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out after one test request.</source>
<translation>Guardado en este equipo ({time}). Se enviará después de una solicitud de prueba.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out after {until}, when the ban is over.</source>
<translation>Guardado en este equipo ({time}). Se enviará a partir de {until}, cuando termine la suspensión.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out after {until}, with the next day’s requests.</source>
<translation>Guardado en este equipo ({time}). Se enviará a partir de {until}, con las solicitudes del día siguiente.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out after {until}: the rest of today’s requests is kept for you.</source>
<translation>Guardado en este equipo ({time}). Se enviará a partir de {until}: el resto de las solicitudes de hoy se reserva para usted.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out in its turn.</source>
<translation>Guardado en este equipo ({time}). Se enviará cuando llegue su turno.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out next.</source>
<translation>Guardado en este equipo ({time}). Será el siguiente.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out once there is a key that works.</source>
<translation>Guardado en este equipo ({time}). Se enviará cuando haya una clave que funcione.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out when the ban is over.</source>
<translation>Guardado en este equipo ({time}). Se enviará cuando termine la suspensión.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out when the pause is over.</source>
<translation>Guardado en este equipo ({time}). Se enviará cuando termine la pausa.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out when the service has requests left again.</source>
<translation>Guardado en este equipo ({time}). Se enviará cuando el servicio vuelva a tener solicitudes disponibles.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out when the service takes requests again.</source>
<translation>Guardado en este equipo ({time}). Se enviará cuando el servicio vuelva a aceptar solicitudes.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out with the next day’s requests.</source>
<translation>Guardado en este equipo ({time}). Se enviará con las solicitudes del día siguiente.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out with the next minute’s requests.</source>
<translation>Guardado en este equipo ({time}). Se enviará con las solicitudes del próximo minuto.</translation>
</message>
<message>
<source>Saved on this computer {time}. Its job is paused.</source>
<translation>Guardado en este equipo ({time}). Su trabajo está en pausa.</translation>
</message>
<message>
<source>Saved on this computer {time}. There is no key yet, so nothing is sent (File &gt; Change key).</source>
<translation>Guardado en este equipo ({time}). Aún no hay clave, así que no se envía nada (Archivo &gt; Cambiar la clave).</translation>
</message>
<message>
<source>Saved on this computer {time}. Waits for an earlier change that needs attention.</source>
<translation>Guardado en este equipo ({time}). Espera a un cambio anterior que requiere atención.</translation>
</message>
<message>
<source>Saved on this computer {time}. Waits for the network.</source>
<translation>Guardado en este equipo ({time}). En espera de la red.</translation>
</message>
<message>
<source>Saved on this computer {time}. Waits: the rest of today’s requests is kept for you.</source>
<translation>Guardado en este equipo ({time}). En espera: el resto de las solicitudes de hoy se reserva para usted.</translation>
</message>
<message>
<source>Saved on this computer. Not sent: this connection is read-only.</source>
<translation>Guardado en este equipo. No se envía: esta conexión es de solo lectura.</translation>
</message>
<message>
<source>Saves the filter, sort and columns of this list on this computer.</source>
<translation>Guarda el filtro, el orden y las columnas de esta lista en este equipo.</translation>
</message>
<message>
<source>Scan a code that is missing: you are asked for its pet again.</source>
<translation>Escanee un código que falte: el programa volverá a preguntar a qué mascota corresponde.</translation>
</message>
<message>
<source>Scan the first pet, or type its id or name.</source>
<translation>Escanee la primera mascota, o escriba su id o nombre.</translation>
</message>
<message>
<source>Scan the next pet, or type its id or name.</source>
<translation>Escanee la siguiente mascota, o escriba su id o nombre.</translation>
</message>
<message>
<source>Scan what came in</source>
<translation>Escanee lo que ha llegado</translation>
</message>
<message>
<source>Scan, or type an id or a name</source>
<translation>Escanee, o escriba un id o un nombre</translation>
</message>
<message>
<source>Scanned at</source>
<translation>Escaneado</translation>
</message>
<message>
<source>Scanned {what}. Close this window first, then scan again.</source>
<translation>Escaneado: {what}. Cierre antes esta ventana y vuelva a escanear.</translation>
</message>
<message>
<source>Scanner</source>
<translation>Lector</translation>
</message>
<message>
<source>Scans</source>
<translation>Lecturas</translation>
</message>
<message>
<source>Scene</source>
<translation>Situación</translation>
</message>
<message>
<source>Search or &amp;jump to…</source>
<translation>B&amp;uscar o ir a…</translation>
</message>
<message>
<source>Search the manual</source>
<translation>Buscar en el manual</translation>
</message>
<message>
<source>Searching…</source>
<translation>Buscando…</translation>
</message>
<message>
<source>See the service’s documentation; it often ends in /v1.</source>
<translation>Consulte la documentación del servicio; suele terminar en /v1.</translation>
</message>
<message>
<source>Seen</source>
<translation>Visto</translation>
</message>
<message>
<source>Select &amp;all</source>
<translation>Seleccionar tod&amp;o</translation>
</message>
<message>
<source>Select &amp;whole rows</source>
<translation>Se&amp;leccionar filas enteras</translation>
</message>
<message>
<source>Select cells that form a block to copy them.</source>
<translation>Para copiar celdas, seleccione un bloque contiguo.</translation>
</message>
<message>
<source>Select pets in the Pets or Inventory list, then press Ctrl+L.</source>
<translation>Seleccione mascotas en la lista Mascotas o Inventario y pulse Control+L.</translation>
</message>
<message>
<source>Select rows first.</source>
<translation>Seleccione antes una o más filas.</translation>
</message>
<message>
<source>Select whole columns</source>
<translation>Seleccionar columnas enteras</translation>
</message>
<message>
<source>Selected: {rows}</source>
<translation>Selección: {rows}</translation>
</message>
<message>
<source>Semicolon</source>
<translation>Punto y coma</translation>
</message>
<message>
<source>Send again</source>
<translation>Volver a enviar</translation>
</message>
<message>
<source>Send again sends it now; It was done sends nothing.</source>
<translation>«Volver a enviar» lo envía ahora; «Sí se hizo» no envía nada.</translation>
</message>
<message>
<source>Send first</source>
<translation>Enviar primero</translation>
</message>
<message>
<source>Send {changes}</source>
<translation>Enviar {changes}</translation>
</message>
<message numerus="yes">
<source>Send {n}</source>
<translation>
<numerusform>Enviar {n}</numerusform>
<numerusform>Enviar {n}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>Send {n} again</source>
<translation>
<numerusform>Volver a enviar {n}</numerusform>
<numerusform>Volver a enviar {n}</numerusform>
</translation>
</message>
<message>
<source>Sending is paused for {left}</source>
<translation>El envío está en pausa durante {left}</translation>
</message>
<message>
<source>Sending is paused until {time}.</source>
<translation>El envío está en pausa hasta {time}.</translation>
</message>
<message>
<source>Sending is paused.</source>
<translation>El envío está en pausa.</translation>
</message>
<message>
<source>Sent</source>
<translation>Enviados</translation>
</message>
<message>
<source>Sent to the printer</source>
<translation>Enviado a la impresora</translation>
</message>
<message>
<source>Sent {seen}, no answer came. Look in the list whether it is there.</source>
<translation>Enviado ({seen}), sin respuesta. Compruebe en la lista si está.</translation>
</message>
<message>
<source>Sent {time}.</source>
<translation>Enviado ({time}).</translation>
</message>
<message>
<source>Sent {time}. The record may be a colleague’s: it has the values that you entered, but the service never confirmed yours.</source>
<translation>Enviado {time}. El registro puede ser de otra persona: tiene los valores que introdujo, pero el servicio nunca confirmó el suyo.</translation>
</message>
<message>
<source>Sent {time}. Undone since.</source>
<translation>Enviado ({time}). Deshecho después.</translation>
</message>
<message>
<source>Sentence copied</source>
<translation>Frase copiada</translation>
</message>
<message>
<source>Separator</source>
<translation>Separador</translation>
</message>
<message>
<source>Server response</source>
<translation>Respuesta del servidor</translation>
</message>
<message>
<source>Set</source>
<translation>Establecer</translation>
</message>
<message>
<source>Set &amp;sold</source>
<translation>Marcar como &amp;vendida</translation>
</message>
<message>
<source>Set a&amp;vailable</source>
<translation>Marcar como disponi&amp;ble</translation>
</message>
<message>
<source>Set all stock shown to &amp;0…</source>
<translation>Poner todo el stock mostrado a &amp;0…</translation>
</message>
<message>
<source>Set an http proxy (HTTPS_PROXY), or exclude this service (NO_PROXY). Then restart the program.</source>
<translation>Configure un proxy http (HTTPS_PROXY) o excluya este servicio (NO_PROXY). Después, reinicie el programa.</translation>
</message>
<message>
<source>Set minimums…</source>
<translation>Fijar el stock mínimo…</translation>
</message>
<message>
<source>Set one up to store the key. Until then the program asks for it at each start.</source>
<translation>Configure uno para guardar la clave. Hasta entonces, el programa la pide en cada inicio.</translation>
</message>
<message>
<source>Set one up, or give the key in the variable PETSTORE_API_KEY.</source>
<translation>Configure uno o indique la clave en la variable PETSTORE_API_KEY.</translation>
</message>
<message>
<source>Set pendin&amp;g</source>
<translation>Marcar como pen&amp;diente</translation>
</message>
<message>
<source>Set stock to &amp;0…</source>
<translation>Poner el stock a &amp;0…</translation>
</message>
<message>
<source>Set the minimum stock again (Shop &gt; Minimum stock).</source>
<translation>Establezca de nuevo el stock mínimo (Tienda &gt; Stock mínimo).</translation>
</message>
<message>
<source>Set them in its address (HTTPS_PROXY=http://name:password@proxy). Then restart the program.</source>
<translation>Póngalos en su dirección (HTTPS_PROXY=http://name:password@proxy). Después, reinicie el programa.</translation>
</message>
<message>
<source>Set these values again, or connect again under the same name and address.</source>
<translation>Establezca de nuevo estos valores, o conéctese otra vez con el mismo nombre y la misma dirección.</translation>
</message>
<message>
<source>Set {things} to {value}</source>
<translation>Pasar {things} a «{value}»</translation>
</message>
<message>
<source>Several categories have this name: enter the id.</source>
<translation>Varias categorías tienen este nombre: introduzca el id.</translation>
</message>
<message>
<source>Several pets have {code}</source>
<translation>Varias mascotas tienen el código {code}</translation>
</message>
<message>
<source>Several pets have {code}. Which one is it?</source>
<translation>Varias mascotas tienen el código {code}. ¿Cuál es?</translation>
</message>
<message>
<source>Sheet</source>
<translation>Hoja</translation>
</message>
<message>
<source>Sheet</source>
<comment>of a workbook</comment>
<translation>Hoja</translation>
</message>
<message>
<source>Sheet {page} of {pages}</source>
<translation>Hoja {page} de {pages}</translation>
</message>
<message>
<source>Sheet, height</source>
<translation>Alto de la hoja</translation>
</message>
<message>
<source>Sheet, width</source>
<translation>Ancho de la hoja</translation>
</message>
<message>
<source>Shift JIS, Japanese</source>
<translation>Shift JIS, japonés</translation>
</message>
<message>
<source>Shift+F5</source>
<translation>Mayúsculas+F5</translation>
</message>
<message>
<source>Ship date</source>
<translation>Fecha de envío</translation>
</message>
<message>
<source>Shop</source>
<translation>Tienda</translation>
</message>
<message>
<source>Show</source>
<translation>Mostrar</translation>
</message>
<message>
<source>Show all changes</source>
<translation>Ver todos los cambios</translation>
</message>
<message>
<source>Show each request</source>
<translation>Ver cada solicitud</translation>
</message>
<message>
<source>Show its o&amp;rders</source>
<translation>Ver sus &amp;pedidos</translation>
</message>
<message>
<source>Show me, in a minute and a half</source>
<translation>Ver una muestra, en minuto y medio</translation>
</message>
<message>
<source>Show outbox</source>
<translation>Mostrar la bandeja de salida</translation>
</message>
<message>
<source>Show the report</source>
<translation>Mostrar el informe</translation>
</message>
<message>
<source>Shown: {rows}</source>
<translation>Mostrado: {rows}</translation>
</message>
<message>
<source>Shows the requests left and who used them</source>
<translation>Muestra las solicitudes restantes y quién las usó</translation>
</message>
<message>
<source>Signs such as | and ! work in the filters below the headers.</source>
<translation>Los signos como | y ! funcionan en los filtros bajo los encabezados.</translation>
</message>
<message>
<source>Since</source>
<translation>Desde</translation>
</message>
<message>
<source>Since you left</source>
<translation>Desde su última visita</translation>
</message>
<message>
<source>Since {time}: {parts}.</source>
<translation>Desde {time}: {parts}.</translation>
</message>
<message>
<source>Slate</source>
<translation>Pizarra</translation>
</message>
<message>
<source>Sold</source>
<translation>Vendida</translation>
</message>
<message>
<source>Sold pets with stock</source>
<translation>Mascotas vendidas con stock</translation>
</message>
<message>
<source>Sold with stock</source>
<translation>Vendida con stock</translation>
</message>
<message>
<source>Some name categories that may be newer than the list of categories. Refresh the categories to tell.</source>
<translation>Algunas nombran categorías que pueden ser más recientes que la lista de categorías. Actualizar las categorías para saberlo.</translation>
</message>
<message>
<source>Some name pets that may be newer than the list of pets. Refresh the pets to tell.</source>
<translation>Algunos nombran mascotas que pueden ser más recientes que la lista de mascotas. Actualizar las mascotas para saberlo.</translation>
</message>
<message>
<source>Some records name others that are not here: they may be new. Refresh to be sure: {lists}.</source>
<translation>Algunos registros nombran otros que no están aquí: pueden ser nuevos. Para estar seguro, actualice: {lists}.</translation>
</message>
<message>
<source>Some values in {file} cannot be used: {what}.</source>
<translation>Algunos valores de {file} no se pueden usar: {what}.</translation>
</message>
<message>
<source>Somebody else changed it between {since} and {time}.</source>
<translation>Otra persona lo modificó entre {since} y {time}.</translation>
</message>
<message>
<source>Somebody else edits too</source>
<translation>Otra persona también edita</translation>
</message>
<message>
<source>Something answers at {url}, but it has no OpenAPI document there and none of the standard operations.</source>
<translation>Algo responde en {url}, pero allí no hay documento OpenAPI ni ninguna de las operaciones estándar.</translation>
</message>
<message>
<source>Something answers at {url}, but nothing shows that it is the service.</source>
<translation>Algo responde en {url}, pero nada indica que sea el servicio.</translation>
</message>
<message>
<source>Something answers, but not with a list of a pet shop.</source>
<translation>Algo responde, pero no con una lista de una tienda de mascotas.</translation>
</message>
<message>
<source>Something is missing after {text}.</source>
<translation>Falta algo después de {text}.</translation>
</message>
<message>
<source>Sort &amp;ascending</source>
<translation>Orden &amp;ascendente</translation>
</message>
<message>
<source>Sort &amp;descending</source>
<translation>Orden &amp;descendente</translation>
</message>
<message>
<source>Sound of a scan</source>
<translation>Sonido de lectura</translation>
</message>
<message>
<source>Squares of {width} mm: hard to scan. Choose larger labels.</source>
<translation>Cuadros de {width} mm: difíciles de escanear. Elija etiquetas más grandes.</translation>
</message>
<message>
<source>Squares of {width} mm: safe for hand scanners</source>
<translation>Cuadros de {width} mm: aptos para lectores de mano</translation>
</message>
<message>
<source>Stands beside each of these changes in the history.</source>
<translation>Aparece junto a cada uno de estos cambios en el historial.</translation>
</message>
<message>
<source>Start at label</source>
<translation>Empezar en la etiqueta</translation>
</message>
<message>
<source>Start it again, or log in again, then enter the key.</source>
<translation>Inícielo de nuevo, o vuelva a iniciar sesión, e introduzca la clave.</translation>
</message>
<message>
<source>Start over</source>
<translation>Empezar de cero</translation>
</message>
<message>
<source>State</source>
<translation>Situación</translation>
</message>
<message>
<source>Status</source>
<translation>Estado</translation>
</message>
<message>
<source>Stock</source>
<translation>Stock</translation>
</message>
<message>
<source>Stock at or below the minimum is marked low. Both are kept on this computer only.</source>
<translation>El stock en el mínimo o por debajo se marca como bajo. Ambos valores se guardan solo en este equipo.</translation>
</message>
<message>
<source>Stock below zero</source>
<translation>Stock negativo</translation>
</message>
<message>
<source>Stock changed</source>
<translation>Stock modificado</translation>
</message>
<message>
<source>Stock changed today</source>
<translation>Stock modificado hoy</translation>
</message>
<message>
<source>Stock entries</source>
<translation>Fichas de stock</translation>
</message>
<message>
<source>Stock is changed by the key that each of its entries has of its own: {name}.</source>
<translation>El stock se cambia por la clave propia de cada entrada: {name}.</translation>
</message>
<message>
<source>Stock over time</source>
<translation>Evolución del stock</translation>
</message>
<message>
<source>Stock that needs attention</source>
<translation>Stock que requiere atención</translation>
</message>
<message>
<source>Stock without a pet</source>
<translation>Stock sin mascota</translation>
</message>
<message>
<source>Stocktake</source>
<translation>Recuento</translation>
</message>
<message>
<source>Stocktake begun</source>
<translation>Recuento en curso</translation>
</message>
<message>
<source>Stocktake {time}</source>
<translation>Recuento, {time}</translation>
</message>
<message>
<source>Stocktake: {what}</source>
<translation>Recuento: {what}</translation>
</message>
<message>
<source>Stop</source>
<translation>Detener</translation>
</message>
<message>
<source>Stop reading</source>
<translation>Detener la lectura</translation>
</message>
<message>
<source>Stopped.</source>
<translation>Detenido.</translation>
</message>
<message>
<source>Stopped. Nothing was saved.</source>
<translation>Detenido. No se ha guardado nada.</translation>
</message>
<message>
<source>Stopped: {what}. {sent} of {n} were sent, and stay</source>
<translation>Detenido: {what}. Se enviaron {sent} de {n} y se mantienen</translation>
</message>
<message>
<source>Such a change shows here with both values.</source>
<translation>Si hay alguno, aparece aquí con los dos valores.</translation>
</message>
<message>
<source>Supplier note</source>
<translation>Albarán</translation>
</message>
<message>
<source>Sw&amp;itch to another shop…</source>
<translation>Cambiar a otra &amp;tienda…</translation>
</message>
<message>
<source>Swap them</source>
<translation>Intercambiarlos</translation>
</message>
<message>
<source>T&amp;hen by this, ascending</source>
<translation>Después por &amp;esta, ascendente</translation>
</message>
<message>
<source>Tab</source>
<translation>Tabulador</translation>
</message>
<message>
<source>Tables (*.csv *.tsv *.txt *.tab *.xlsx *.xlsm)</source>
<translation>Tablas (*.csv *.tsv *.txt *.tab *.xlsx *.xlsm)</translation>
</message>
<message>
<source>Tabs</source>
<translation>Pestañas</translation>
</message>
<message>
<source>Take out</source>
<translation>Quitar</translation>
</message>
<message>
<source>Take theirs</source>
<translation>Usar el del servicio</translation>
</message>
<message>
<source>Teal</source>
<translation>Turquesa</translation>
</message>
<message>
<source>Tell me when there is a newer version</source>
<translation>Avisarme de versiones nuevas</translation>
</message>
<message>
<source>Tell the service’s provider. The program still obeys every wait.</source>
<translation>Avise al proveedor del servicio. Aun así, el programa respeta todas las esperas.</translation>
</message>
<message>
<source>Test after a pause</source>
<translation>Prueba tras una pausa</translation>
</message>
<message>
<source>Test and connect</source>
<translation>Probar y conectar</translation>
</message>
<message>
<source>Text for any spreadsheet (.csv)</source>
<translation>Texto para cualquier hoja de cálculo (.csv)</translation>
</message>
<message>
<source>That has not happened yet</source>
<translation>Eso aún no ha ocurrido</translation>
</message>
<message>
<source>That was a demo shop. Open it to try it yourself, or connect your own shop.</source>
<translation>Era una tienda demo. Ábrala para probarla, o conecte su propia tienda.</translation>
</message>
<message>
<source>The OpenAPI document cannot be read: {path}.</source>
<translation>No se puede leer el documento OpenAPI: {path}.</translation>
</message>
<message>
<source>The OpenAPI document describes another service: {titled}. Nothing in it is what a pet shop needs.</source>
<translation>El documento OpenAPI describe otro servicio: {titled}. No contiene nada de lo que necesita una tienda de mascotas.</translation>
</message>
<message>
<source>The OpenAPI document has more than {most} operations, and the first ones are not what a pet shop needs.</source>
<translation>El documento OpenAPI tiene más de {most} operaciones, y las primeras no son las que necesita una tienda de mascotas.</translation>
</message>
<message>
<source>The OpenAPI document has moved to another address: {target}.</source>
<translation>El documento OpenAPI se ha trasladado a otra dirección: {target}.</translation>
</message>
<message>
<source>The OpenAPI document is larger than {megabytes} MB, so it was not read: {path}.</source>
<translation>El documento OpenAPI ocupa más de {megabytes} MB, así que no se ha leído: {path}.</translation>
</message>
<message>
<source>The OpenAPI document is much larger than its file once expanded ({why}), so it was not read to the end.</source>
<translation>El documento OpenAPI, una vez expandido, es mucho mayor que su archivo ({why}), así que no se ha leído hasta el final.</translation>
</message>
<message>
<source>The OpenAPI document is neither JSON nor YAML ({why}).</source>
<translation>El documento OpenAPI no es JSON ni YAML ({why}).</translation>
</message>
<message>
<source>The OpenAPI document is not at {path}. That address redirects to {target}; the program does not follow.</source>
<translation>El documento OpenAPI no está en {path}. Esa dirección redirige a {target}; el programa no lo sigue.</translation>
</message>
<message>
<source>The OpenAPI document is of version {version}; the program reads OpenAPI 3.0 and 3.1, and Swagger 2.0.</source>
<translation>El documento OpenAPI es de la versión {version}; el programa lee OpenAPI 3.0 y 3.1, y Swagger 2.0.</translation>
</message>
<message>
<source>The OpenAPI document that was chosen: {named}.</source>
<translation>El documento OpenAPI elegido: {named}.</translation>
</message>
<message>
<source>The address holds a password; enter it as the key instead.</source>
<translation>La dirección contiene una contraseña; introdúzcala como clave.</translation>
</message>
<message>
<source>The address holds a user name or a password; nothing was sent.</source>
<translation>La dirección contiene un nombre de usuario o una contraseña; no se ha enviado nada.</translation>
</message>
<message>
<source>The address must begin with https:// (http:// only for this computer).</source>
<translation>La dirección debe empezar por https:// (http:// solo para este equipo).</translation>
</message>
<message>
<source>The answer is not JSON, but {content_type}.</source>
<translation>La respuesta no es JSON, sino {content_type}.</translation>
</message>
<message>
<source>The beginning of a word is enough.</source>
<translation>Basta con el principio de una palabra.</translation>
</message>
<message>
<source>The categories</source>
<translation>Las categorías</translation>
</message>
<message>
<source>The categories are not all on this computer, and all are needed to tell.</source>
<translation>No están todas las categorías en este equipo, y hacen falta todas para saberlo.</translation>
</message>
<message>
<source>The category’s id and name are both changed, and do not match.</source>
<translation>El id y el nombre de la categoría se modifican a la vez y no coinciden.</translation>
</message>
<message>
<source>The certificate is trusted, by this computer or by {file}.</source>
<translation>El certificado es de confianza: lo avala este equipo o {file}.</translation>
</message>
<message>
<source>The certificate of {host} expired: {until}.</source>
<translation>El certificado que presenta {host} ha caducado ({until}).</translation>
</message>
<message>
<source>The certificate of {host} is not valid yet; it begins: {since}.</source>
<translation>El certificado que presenta {host} aún no es válido; empieza: {since}.</translation>
</message>
<message>
<source>The certificate of {host} is self-signed, so this computer does not trust it.</source>
<translation>El certificado que presenta {host} es autofirmado, así que este equipo no confía en él.</translation>
</message>
<message>
<source>The certificate of {host} is signed by {issuer}, which this computer does not trust.</source>
<translation>El certificado que presenta {host} está firmado por {issuer}, que no es de confianza para este equipo.</translation>
</message>
<message>
<source>The certificate of {host} was revoked by its authority.</source>
<translation>El certificado que presenta {host} ha sido revocado por su autoridad.</translation>
</message>
<message>
<source>The certificate that {host} shows is not for this name, but for {names}.</source>
<translation>El certificado que presenta {host} no es para este nombre, sino para {names}.</translation>
</message>
<message>
<source>The changes cannot be read</source>
<translation>No se pueden leer los cambios</translation>
</message>
<message>
<source>The changes of the rehearsal wait under Shop &gt; Rehearse.</source>
<translation>Los cambios del ensayo esperan en Tienda &gt; Ensayar.</translation>
</message>
<message>
<source>The characters of this file can be read in several ways. Choose its encoding.</source>
<translation>Los caracteres de este archivo se pueden leer de varias maneras. Elija su codificación.</translation>
</message>
<message>
<source>The check was stopped.</source>
<translation>La comprobación se ha detenido.</translation>
</message>
<message>
<source>The connection and its data are still here.</source>
<translation>La conexión y sus datos siguen aquí.</translation>
</message>
<message>
<source>The connection broke while it was sent. It may have arrived. The program checks, and sends nothing twice.</source>
<translation>La conexión se cortó durante el envío. Puede que haya llegado. El programa lo comprueba y no envía nada dos veces.</translation>
</message>
<message>
<source>The connection follows a profile, and nothing is guessed: {named}.</source>
<translation>La conexión sigue un perfil y no se adivina nada: {named}.</translation>
</message>
<message>
<source>The connection follows the profile {named}, from which the service’s own document differs: {differences}.</source>
<translation>La conexión sigue el perfil {named}, del que difiere el documento del servicio: {differences}.</translation>
</message>
<message>
<source>The connection to {host} broke before the answer came.</source>
<translation>La conexión con {host} se cortó antes de llegar la respuesta.</translation>
</message>
<message>
<source>The connection’s CA file cannot be read: {path}.</source>
<translation>No se puede leer el archivo de CA de la conexión: {path}.</translation>
</message>
<message>
<source>The connection’s CA file holds no certificate: {path}.</source>
<translation>El archivo de CA de la conexión no contiene ningún certificado: {path}.</translation>
</message>
<message>
<source>The connection’s CA file is gone: {path}.</source>
<translation>El archivo de CA de la conexión ya no está: {path}.</translation>
</message>
<message>
<source>The connection’s CA file is too large: {path}.</source>
<translation>El archivo de CA de la conexión es demasiado grande: {path}.</translation>
</message>
<message>
<source>The corrections will be lost.</source>
<translation>Las correcciones se perderán.</translation>
</message>
<message>
<source>The data and the keys of your shops are still here.</source>
<translation>Los datos y las claves de sus tiendas siguen aquí.</translation>
</message>
<message>
<source>The data check no longer finds it: left out</source>
<translation>La comprobación de datos ya no lo encuentra: omitido</translation>
</message>
<message>
<source>The dates can be read in two ways: 03/04 is 3 April or 4 March. Choose how they are written.</source>
<translation>Las fechas se pueden leer de dos formas: 03/04 es el 3 de abril o el 4 de marzo. Elija cómo están escritas.</translation>
</message>
<message>
<source>The demo shop did not start.</source>
<translation>La tienda demo no se ha iniciado.</translation>
</message>
<message>
<source>The disk is full.</source>
<translation>El disco está lleno.</translation>
</message>
<message>
<source>The document calls it {note}.</source>
<translation>El documento la llama {note}.</translation>
</message>
<message>
<source>The document is the one that the service publishes: {name}.</source>
<translation>El documento es el que publica el servicio: {name}.</translation>
</message>
<message>
<source>The document is the one that was chosen for this connection: {name}.</source>
<translation>El documento es el elegido para esta conexión: {name}.</translation>
</message>
<message>
<source>The field is a guess by its name. Choose its name first, so that {shop} gets what you mean (File &gt; Operations &gt; Fields).</source>
<translation>El campo se ha deducido por su nombre. Elija antes el nombre, para que {shop} reciba lo correcto (Archivo &gt; Operaciones &gt; Campos).</translation>
</message>
<message>
<source>The file does not have this encoding. Choose another one.</source>
<translation>El archivo no tiene esta codificación. Elija otra.</translation>
</message>
<message>
<source>The file has more than {n} cells. Leave out columns that are not needed, or split it, and import the parts.</source>
<translation>El archivo tiene más de {n} celdas. Omita las columnas que no hagan falta, o divídalo e importe las partes.</translation>
</message>
<message>
<source>The file has more than {n} columns. Leave out those that are not needed.</source>
<translation>El archivo tiene más de {n} columnas. Omita las que no hagan falta.</translation>
</message>
<message>
<source>The file has more than {n} rows. Split it, and import the parts.</source>
<translation>El archivo tiene más de {n} filas. Divídalo e importe las partes.</translation>
</message>
<message>
<source>The file of pauses and request counts is gone: {file}.</source>
<translation>El archivo de pausas y contadores de solicitudes ya no está: {file}.</translation>
</message>
<message>
<source>The file of pauses and request counts was damaged. It is kept as {file}.</source>
<translation>El archivo de pausas y contadores de solicitudes estaba dañado. Se conserva como {file}.</translation>
</message>
<message>
<source>The file of settings and connections was damaged. It is kept as {file}.</source>
<translation>El archivo de ajustes y conexiones estaba dañado. Se conserva como {file}.</translation>
</message>
<message>
<source>The file of your bar codes was damaged. It is kept as {file}.</source>
<translation>El archivo de sus códigos de barras estaba dañado. Se conserva como {file}.</translation>
</message>
<message>
<source>The file of your changes is gone: {file}.</source>
<translation>El archivo de sus cambios ya no está: {file}.</translation>
</message>
<message>
<source>The file of your changes was damaged. It is kept as {file}.</source>
<translation>El archivo de sus cambios estaba dañado. Se conserva como {file}.</translation>
</message>
<message>
<source>The file of your earlier changes was damaged. It is kept as {file}.</source>
<translation>El archivo de sus cambios anteriores estaba dañado. Se conserva como {file}.</translation>
</message>
<message>
<source>The file of your minimum stock was damaged. It is kept as {file}.</source>
<translation>El archivo de su stock mínimo estaba dañado. Se conserva como {file}.</translation>
</message>
<message numerus="yes">
<source>The file says that {n} of its rows are missing. Records that are not in it stay as they are.</source>
<translation>
<numerusform>El archivo dice que falta {n} de sus filas. Los registros que no contiene quedan como están.</numerusform>
<numerusform>El archivo dice que faltan {n} de sus filas. Los registros que no contiene quedan como están.</numerusform>
</translation>
</message>
<message>
<source>The first moment is after the second one</source>
<translation>El primer momento es posterior al segundo</translation>
</message>
<message>
<source>The first one: {reason}</source>
<translation>El primero: {reason}</translation>
</message>
<message>
<source>The first {n} of {all}.</source>
<translation>Se muestran {n} de {all}.</translation>
</message>
<message>
<source>The history begins on {time}: nothing is known of these days.</source>
<translation>El historial empieza el {time}: no se sabe nada de estos días.</translation>
</message>
<message>
<source>The history begins with the first complete reading of the shop. Come back after it.</source>
<translation>El historial empieza con la primera lectura completa de la tienda. Vuelva después.</translation>
</message>
<message>
<source>The history begins with the first reading.</source>
<translation>El historial empieza con la primera lectura.</translation>
</message>
<message>
<source>The history cannot be read</source>
<translation>No se puede leer el historial</translation>
</message>
<message>
<source>The history cannot be read: the report is made without it. {why}</source>
<translation>No se puede leer el historial: el informe se hace sin él. {why}</translation>
</message>
<message>
<source>The history does not go back so far</source>
<translation>El historial no llega tan atrás</translation>
</message>
<message>
<source>The history of this shop cannot be recorded: {file} cannot be used.</source>
<translation>No se puede anotar el historial de esta tienda: {file} no se puede usar.</translation>
</message>
<message>
<source>The history of this shop is gone: {file}.</source>
<translation>El historial de esta tienda ya no está: {file}.</translation>
</message>
<message>
<source>The history of this shop was damaged. It is kept as {file}.</source>
<translation>El historial de esta tienda estaba dañado. Se conserva como {file}.</translation>
</message>
<message>
<source>The key contains characters that cannot be sent. Nothing was sent.</source>
<translation>La clave contiene caracteres que no se pueden enviar. No se ha enviado nada.</translation>
</message>
<message>
<source>The key is banned: unsent changes go out when the program is open after {time}.</source>
<translation>La clave está suspendida: los cambios sin enviar se enviarán si el programa está abierto a partir de {time}.</translation>
</message>
<message>
<source>The key is longer than 16,384 characters, which no service takes. Nothing was sent.</source>
<translation>La clave supera los 16 384 caracteres, lo que ningún servicio acepta. No se ha enviado nada.</translation>
</message>
<message>
<source>The key is taken at {url}; at the address that you gave nothing asks for it.</source>
<translation>La clave se acepta en {url}; en la dirección indicada nada la pide.</translation>
</message>
<message>
<source>The key may not read these lists: {lists}.</source>
<translation>La clave no puede leer estas listas: {lists}.</translation>
</message>
<message>
<source>The key may not read this list: {lists}.</source>
<translation>La clave no puede leer esta lista: {lists}.</translation>
</message>
<message>
<source>The keyring did not answer within five seconds, so there is no key; only the document was asked for.</source>
<translation>El llavero no ha respondido en cinco segundos, así que no hay clave; solo se ha pedido el documento.</translation>
</message>
<message>
<source>The keyring did not answer within five seconds.</source>
<translation>El llavero no ha respondido en cinco segundos.</translation>
</message>
<message>
<source>The keyring is locked, so there is no key; only the document was asked for.</source>
<translation>El llavero está bloqueado, así que no hay clave; solo se ha pedido el documento.</translation>
</message>
<message>
<source>The keyring is locked.</source>
<translation>El llavero está bloqueado.</translation>
</message>
<message>
<source>The keyring stopped while it was asked.</source>
<translation>El llavero se cerró durante la consulta.</translation>
</message>
<message>
<source>The keyring took the key, but did not give it back.</source>
<translation>El llavero aceptó la clave, pero no la devolvió.</translation>
</message>
<message>
<source>The keys are sent in these headers or parameters: {names}.</source>
<translation>Las claves se envían en estos encabezados o parámetros: {names}.</translation>
</message>
<message>
<source>The labels need {limit} mm; the sheet is lower.</source>
<translation>Las etiquetas necesitan {limit} mm; la hoja es más baja.</translation>
</message>
<message>
<source>The labels need {limit} mm; the sheet is narrower.</source>
<translation>Las etiquetas necesitan {limit} mm; la hoja es más estrecha.</translation>
</message>
<message>
<source>The last act cannot be undone</source>
<translation>La última acción no se puede deshacer</translation>
</message>
<message>
<source>The last requests of the minute are kept for what you ask for, and to read lists.</source>
<translation>Las últimas peticiones del minuto se reservan para lo que usted pida y para leer listas.</translation>
</message>
<message>
<source>The last step of the count is undone</source>
<translation>Se ha deshecho el último paso del recuento</translation>
</message>
<message>
<source>The licence’s text is at {address}, the source of both at {source}.</source>
<translation>El texto de la licencia está en {address}; el código fuente de ambas, en {source}.</translation>
</message>
<message>
<source>The list has no record with the id {id}</source>
<translation>La lista no tiene ningún registro con el id {id}</translation>
</message>
<message>
<source>The list loads when the network is back. Your edits are kept.</source>
<translation>La lista se cargará cuando vuelva la red. Sus cambios se conservan.</translation>
</message>
<message>
<source>The list of earlier requests was damaged. It is kept as {file}.</source>
<translation>La lista de solicitudes anteriores estaba dañada. Se conserva como {file}.</translation>
</message>
<message>
<source>The lists show what the service has. From now on, each change of this kind is looked at.</source>
<translation>Las listas muestran lo que tiene el servicio. A partir de ahora se comprueba cada cambio de este tipo.</translation>
</message>
<message>
<source>The longest name</source>
<translation>El nombre más largo</translation>
</message>
<message>
<source>The longest name, twice as large</source>
<translation>El nombre más largo, al doble de tamaño</translation>
</message>
<message>
<source>The name in this program.</source>
<translation>El nombre en este programa.</translation>
</message>
<message>
<source>The network may be slow, or a firewall in between.</source>
<translation>Puede que la red sea lenta o que haya un cortafuegos de por medio.</translation>
</message>
<message>
<source>The new key is used at once for all unsent changes.</source>
<translation>La nueva clave se usa de inmediato para todos los cambios sin enviar.</translation>
</message>
<message>
<source>The next one is free at {time}.</source>
<translation>La siguiente queda libre a las {time}.</translation>
</message>
<message>
<source>The numbers can be read in two ways: 1.200 is twelve hundred, or 1 and a fraction. Choose how they are written.</source>
<translation>Los números se pueden leer de dos formas: 1.200 es mil doscientos, o uno con decimales. Elija cómo están escritos.</translation>
</message>
<message>
<source>The order for {pet}</source>
<translation>El pedido de {pet}</translation>
</message>
<message>
<source>The order for {quantity} {pet}</source>
<translation>El pedido de {quantity} {pet}</translation>
</message>
<message>
<source>The orders</source>
<translation>Los pedidos</translation>
</message>
<message>
<source>The orders are not all on this computer, and all are needed to tell.</source>
<translation>No están todos los pedidos en este equipo, y hacen falta todos para saberlo.</translation>
</message>
<message>
<source>The other tabs work. If the list has another name, choose it in File &gt; Operations.</source>
<translation>Las demás pestañas funcionan. Si la lista tiene otro nombre, elíjalo en Archivo &gt; Operaciones.</translation>
</message>
<message>
<source>The outbox is empty</source>
<translation>La bandeja de salida está vacía</translation>
</message>
<message>
<source>The part of the program that talks to the service has ended.</source>
<translation>La parte del programa que se comunica con el servicio se ha detenido.</translation>
</message>
<message>
<source>The pause could not be saved, the disk may be full: keep the window open until it ends.</source>
<translation>No se ha podido guardar la pausa; puede que el disco esté lleno: mantenga la ventana abierta hasta que termine.</translation>
</message>
<message>
<source>The pet becomes {status}.</source>
<translation>La mascota pasa a estar {status}.</translation>
</message>
<message>
<source>The pets</source>
<translation>Las mascotas</translation>
</message>
<message>
<source>The pets are not all on this computer, and all are needed to tell.</source>
<translation>No están todas las mascotas en este equipo, y hacen falta todas para saberlo.</translation>
</message>
<message>
<source>The pets are still being read. Scan {code} again in a moment.</source>
<translation>Las mascotas aún se están leyendo. Vuelva a escanear {code} dentro de un momento.</translation>
</message>
<message>
<source>The profile cannot be followed: {where}: {why}.</source>
<translation>No se puede seguir el perfil: {where}: {why}.</translation>
</message>
<message>
<source>The profile is followed. Ask the service’s provider which is right, and correct the profile if it is not.</source>
<translation>Se sigue el perfil. Pregunte al proveedor del servicio qué es lo correcto y corrija el perfil si no lo es.</translation>
</message>
<message>
<source>The profile is in {file}.</source>
<translation>El perfil está en {file}.</translation>
</message>
<message>
<source>The profile says so.</source>
<translation>Así lo dice el perfil.</translation>
</message>
<message>
<source>The program could not start.</source>
<translation>El programa no pudo iniciarse.</translation>
</message>
<message>
<source>The program does not follow: neither the request nor the key was sent there.</source>
<translation>El programa no lo sigue: no se ha enviado allí ni la solicitud ni la clave.</translation>
</message>
<message>
<source>The program does not follow: nothing was sent there.</source>
<translation>El programa no lo sigue: no se ha enviado nada allí.</translation>
</message>
<message>
<source>The program needs an id in each record, and the field names of the specification. Ask the service’s provider for such an address, or choose another list in File &gt; Operations.</source>
<translation>El programa necesita un id en cada registro y los nombres de campo de la especificación. Pida una dirección así al proveedor del servicio o elija otra lista en Archivo &gt; Operaciones.</translation>
</message>
<message>
<source>The program obeys every “wait”.</source>
<translation>El programa respeta todos los avisos de espera.</translation>
</message>
<message>
<source>The program reads {endpoint}, because of the fields of its answer. Its path does not name what it is, so nothing is changed there unless you choose it.</source>
<translation>El programa lee {endpoint} por los campos de su respuesta. Su ruta no dice qué es, así que no se modifica nada allí si usted no lo elige.</translation>
</message>
<message>
<source>The program sends one at a time and obeys every “wait”.</source>
<translation>El programa las envía de una en una y respeta todos los avisos de espera.</translation>
</message>
<message>
<source>The program that answers at {host} is not a web service.</source>
<translation>El programa que responde en {host} no es un servicio web.</translation>
</message>
<message>
<source>The program tries again by itself.</source>
<translation>El programa lo vuelve a intentar por sí solo.</translation>
</message>
<message>
<source>The program uses {endpoint}, because you chose it.</source>
<translation>El programa usa {endpoint}, porque usted lo eligió.</translation>
</message>
<message>
<source>The program uses {endpoint}: its path, and what it takes and answers, fit.</source>
<translation>El programa usa {endpoint}: su ruta, lo que acepta y lo que responde encajan.</translation>
</message>
<message>
<source>The proxy that is set on this computer cannot be reached: {proxy}.</source>
<translation>No se puede acceder al proxy configurado en este equipo: {proxy}.</translation>
</message>
<message>
<source>The proxy that is set on this computer cannot be used by the program: {proxy}.</source>
<translation>El programa no puede usar el proxy configurado en este equipo: {proxy}.</translation>
</message>
<message>
<source>The proxy {proxy} blocks {host}.</source>
<translation>El proxy {proxy} bloquea el acceso a {host}.</translation>
</message>
<message>
<source>The proxy {proxy} cannot reach {host}.</source>
<translation>El proxy {proxy} no llega hasta {host}.</translation>
</message>
<message>
<source>The proxy {proxy} did not let the request through to {host}.</source>
<translation>El proxy {proxy} no dejó pasar la solicitud hacia {host}.</translation>
</message>
<message>
<source>The proxy {proxy} is not trusted: no secure connection to it is possible.</source>
<translation>El proxy {proxy} no es de confianza: no es posible una conexión segura con él.</translation>
</message>
<message>
<source>The proxy {proxy} needs a user name and password, or rejects those that are set.</source>
<translation>El proxy {proxy} necesita un nombre de usuario y una contraseña, o rechaza los configurados.</translation>
</message>
<message>
<source>The record is there, once. No other one is made before you send one again.</source>
<translation>El registro existe, una sola vez. No se crea ningún otro hasta que usted vuelva a enviar uno.</translation>
</message>
<message>
<source>The record was changed elsewhere in the meantime: {said}.</source>
<translation>El registro se ha modificado entretanto en otro lugar: {said}.</translation>
</message>
<message>
<source>The rehearsal opens in a window of its own.</source>
<translation>El ensayo se abre en una ventana aparte.</translation>
</message>
<message>
<source>The rehearsal’s shop has stopped</source>
<translation>La tienda del ensayo se ha detenido</translation>
</message>
<message>
<source>The requests that the key allows are used up until {until}. Nothing is sent before.</source>
<translation>Las solicitudes que permite la clave están agotadas hasta {until}. Hasta entonces no se envía nada.</translation>
</message>
<message>
<source>The rest of today’s requests is kept for you.</source>
<translation>El resto de las peticiones de hoy se reserva para usted.</translation>
</message>
<message>
<source>The rest of today’s requests is kept for you: changes go out when the program is open after {time}.</source>
<translation>El resto de las peticiones de hoy se reserva para usted: los cambios se envían cuando el programa esté abierto después de {time}.</translation>
</message>
<message>
<source>The rest works.</source>
<translation>El resto funciona.</translation>
</message>
<message>
<source>The rows have a new order: of {n} selected rows, only the current cell is still selected.</source>
<translation>Las filas tienen un orden nuevo: de las {n} seleccionadas, solo sigue seleccionada la celda actual.</translation>
</message>
<message>
<source>The same</source>
<translation>Iguales</translation>
</message>
<message>
<source>The same number of each</source>
<translation>El mismo número de cada una</translation>
</message>
<message>
<source>The same record as in row {row}.</source>
<translation>El mismo registro que en la fila {row}.</translation>
</message>
<message>
<source>The second moment can be the present one at most.</source>
<translation>El segundo momento puede ser, como máximo, el actual.</translation>
</message>
<message>
<source>The service accepted it, to be done later. When the record was last looked at, it was not done yet.</source>
<translation>El servicio lo aceptó para hacerlo más tarde. La última vez que se miró el registro, aún no estaba hecho.</translation>
</message>
<message>
<source>The service allows no more in a minute.</source>
<translation>El servicio no permite más en un minuto.</translation>
</message>
<message numerus="yes">
<source>The service allows {n} in a minute.</source>
<translation>
<numerusform>El servicio permite {n} por minuto.</numerusform>
<numerusform>El servicio permite {n} por minuto.</numerusform>
</translation>
</message>
<message>
<source>The service also demands {names}; it gets {values}.</source>
<translation>El servicio exige además {names}; recibe {values}.</translation>
</message>
<message>
<source>The service answered with record {id}, which existed before. Check that record: it may be overwritten.</source>
<translation>El servicio respondió con el registro {id}, que ya existía. Compruebe ese registro: puede haberse sobrescrito.</translation>
</message>
<message>
<source>The service answered {said}.</source>
<translation>El servicio respondió {said}.</translation>
</message>
<message>
<source>The service answers without a key.</source>
<translation>El servicio responde sin clave.</translation>
</message>
<message>
<source>The service asked to wait until {until}, which is unusually long: {message}. Nothing is sent before.</source>
<translation>El servicio ha pedido esperar hasta {until}, un tiempo inusualmente largo: {message}. Hasta entonces no se envía nada.</translation>
</message>
<message>
<source>The service asked to wait until {until}: {message}. Nothing is sent before.</source>
<translation>El servicio ha pedido esperar hasta {until}: {message}. Hasta entonces no se envía nada.</translation>
</message>
<message>
<source>The service asks to wait: {said}.</source>
<translation>El servicio pide esperar: {said}.</translation>
</message>
<message>
<source>The service calls it beta: it may change.</source>
<translation>El servicio la considera beta: puede cambiar.</translation>
</message>
<message>
<source>The service calls it experimental: it may change or go.</source>
<translation>El servicio la considera experimental: puede cambiar o desaparecer.</translation>
</message>
<message>
<source>The service calls this beta: it may change.</source>
<translation>El servicio lo considera beta: puede cambiar.</translation>
</message>
<message>
<source>The service calls this experimental: it may change or go.</source>
<translation>El servicio lo considera experimental: puede cambiar o desaparecer.</translation>
</message>
<message>
<source>The service cannot be reached</source>
<translation>No se puede acceder al servicio</translation>
</message>
<message>
<source>The service cannot be reached since {time}.</source>
<translation>No se puede acceder al servicio desde {time}.</translation>
</message>
<message>
<source>The service cannot do this now: {said}.</source>
<translation>El servicio no puede hacer esto ahora: {said}.</translation>
</message>
<message>
<source>The service could not be asked about the new key. It is kept, and tried when the service answers.</source>
<translation>No se ha podido probar la nueva clave con el servicio. Se conserva y se probará cuando el servicio responda.</translation>
</message>
<message>
<source>The service counts more than it shows.</source>
<translation>El servicio cuenta más de lo que muestra.</translation>
</message>
<message>
<source>The service did not find this: the record is gone, or the way to it ({request}), which was to be removed on {day}.</source>
<translation>El servicio no lo encontró: ya no existe el registro, o la vía hasta él ({request}), que iba a retirarse el {day}.</translation>
</message>
<message>
<source>The service does not accept the key</source>
<translation>El servicio no acepta la clave</translation>
</message>
<message>
<source>The service does not accept the key {key}, which it wants for some operations: {message}.</source>
<translation>El servicio no acepta la clave {key}, que exige para algunas operaciones: {message}.</translation>
</message>
<message>
<source>The service does not accept the key {key}: {message}.</source>
<translation>El servicio no acepta la clave {key}: {message}.</translation>
</message>
<message>
<source>The service does not accept the key {key}: {said}.</source>
<translation>El servicio no acepta la clave {key}: {said}.</translation>
</message>
<message>
<source>The service does not accept the key: unsent changes go out once a key works.</source>
<translation>El servicio no acepta la clave: los cambios sin enviar se enviarán cuando funcione una.</translation>
</message>
<message>
<source>The service does not accept the key: {message}.</source>
<translation>El servicio no acepta la clave: {message}.</translation>
</message>
<message>
<source>The service does not accept the key: {said}.</source>
<translation>El servicio no acepta la clave: {said}.</translation>
</message>
<message>
<source>The service does not have these lists: {lists}.</source>
<translation>El servicio no tiene estas listas: {lists}.</translation>
</message>
<message>
<source>The service does not have this list: {lists}.</source>
<translation>El servicio no tiene esta lista: {lists}.</translation>
</message>
<message>
<source>The service does not let this key read anything: {message}.</source>
<translation>El servicio no permite leer nada con esta clave: {message}.</translation>
</message>
<message>
<source>The service does not report it: ≈ is this computer’s own count, without other computers.</source>
<translation>El servicio no lo indica: ≈ es la cuenta que lleva este equipo, sin contar otros.</translation>
</message>
<message>
<source>The service does not report the day: this is this computer’s own count.</source>
<translation>El servicio no informa del límite diario: es la cuenta que lleva este equipo.</translation>
</message>
<message>
<source>The service does not say how many requests are left.</source>
<translation>El servicio no indica cuántas solicitudes quedan.</translation>
</message>
<message>
<source>The service does not say how many requests it allows a day.</source>
<translation>El servicio no dice cuántas solicitudes permite por día.</translation>
</message>
<message>
<source>The service does not say how many requests it allows a minute.</source>
<translation>El servicio no dice cuántas solicitudes permite por minuto.</translation>
</message>
<message>
<source>The service does not say when there are more.</source>
<translation>El servicio no dice cuándo habrá más.</translation>
</message>
<message>
<source>The service does not say which orders are open, and so not which are overdue.</source>
<translation>El servicio no indica qué pedidos están abiertos ni, por tanto, cuáles están atrasados.</translation>
</message>
<message>
<source>The service does not tell its time.</source>
<translation>El servicio no indica su hora.</translation>
</message>
<message>
<source>The service failed (status {status}): {message}.</source>
<translation>El servicio ha fallado (estado {status}): {message}.</translation>
</message>
<message>
<source>The service failed: {said}.</source>
<translation>El servicio ha fallado: {said}.</translation>
</message>
<message>
<source>The service has banned this key for a while: {said}.</source>
<translation>El servicio ha suspendido esta clave por un tiempo: {said}.</translation>
</message>
<message>
<source>The service has banned this key until {until}: {message}. Nothing is sent before.</source>
<translation>El servicio ha suspendido esta clave hasta {until}: {message}. Hasta entonces no se envía nada.</translation>
</message>
<message>
<source>The service has no list of categories. The program takes them from the pets at {endpoint}, which costs no request. A category without a pet is not shown.</source>
<translation>El servicio no tiene lista de categorías. El programa las toma de las mascotas en {endpoint}, lo que no cuesta ninguna solicitud. Una categoría sin mascotas no se muestra.</translation>
</message>
<message>
<source>The service has no such record any more: {said}.</source>
<translation>El servicio ya no tiene ese registro: {said}.</translation>
</message>
<message>
<source>The service has not said how many.</source>
<translation>El servicio no ha indicado cuántas.</translation>
</message>
<message>
<source>The service has removed it.</source>
<translation>El servicio la ha retirado.</translation>
</message>
<message>
<source>The service has removed this ({request}) on {day}.</source>
<translation>El servicio retiró esto ({request}) el {day}.</translation>
</message>
<message>
<source>The service is not at {given}, but at {url}.</source>
<translation>El servicio no está en {given}, sino en {url}.</translation>
</message>
<message>
<source>The service is slow</source>
<translation>El servicio es lento</translation>
</message>
<message numerus="yes">
<source>The service is told to delete the orders, not to mark them as cancelled.</source>
<translation>
<numerusform>Se pide al servicio que elimine los pedidos, no que los marque como cancelados.</numerusform>
<numerusform>Se pide al servicio que elimine los pedidos, no que los marque como cancelados.</numerusform>
</translation>
</message>
<message>
<source>The service keeps its records below {scope}, and the address does not say which.</source>
<translation>El servicio guarda sus registros bajo {scope}, y la dirección no dice cuál.</translation>
</message>
<message>
<source>The service may be down: try again later. Or its address has another port.</source>
<translation>Puede que el servicio esté caído: inténtelo más tarde. O su dirección usa otro puerto.</translation>
</message>
<message numerus="yes">
<source>The service may delete their pets too, with stock and orders, and undo does not bring those back. Pets that stay name a deleted category:</source>
<translation>
<numerusform>El servicio puede eliminar también sus mascotas, con su stock y sus pedidos, y no se recuperan al deshacer. Las mascotas que queden harán referencia a una categoría eliminada:</numerusform>
<numerusform>El servicio puede eliminar también sus mascotas, con su stock y sus pedidos, y no se recuperan al deshacer. Las mascotas que queden harán referencia a una categoría eliminada:</numerusform>
</translation>
</message>
<message numerus="yes">
<source>The service may delete their stock and orders too, and undo does not bring those back:</source>
<translation>
<numerusform>El servicio puede eliminar también su stock y sus pedidos, y no se recuperan al deshacer:</numerusform>
<numerusform>El servicio puede eliminar también su stock y sus pedidos, y no se recuperan al deshacer:</numerusform>
</translation>
</message>
<message>
<source>The service needs a key</source>
<translation>El servicio necesita una clave</translation>
</message>
<message>
<source>The service needs a key.</source>
<translation>El servicio necesita una clave.</translation>
</message>
<message>
<source>The service needs a key. Until then you can read and edit the data on this computer.</source>
<translation>El servicio necesita una clave. Hasta entonces se pueden leer y editar los datos de este equipo.</translation>
</message>
<message>
<source>The service needs values that its document does not give: {names}.</source>
<translation>El servicio necesita valores que su documento no indica: {names}.</translation>
</message>
<message>
<source>The service publishes its OpenAPI document: {named}.</source>
<translation>El servicio publica su documento OpenAPI: {named}.</translation>
</message>
<message>
<source>The service publishes no document: the program’s own is used.</source>
<translation>El servicio no publica ningún documento: se usa el propio del programa.</translation>
</message>
<message>
<source>The service publishes none. It answers at the standard paths, so the nine standard operations are used.</source>
<translation>El servicio no publica ninguno. Responde en las rutas estándar, así que se usan las nueve operaciones estándar.</translation>
</message>
<message>
<source>The service redirects in a circle: from {target} back to the same address.</source>
<translation>El servicio redirige en círculo: de {target} a la misma dirección.</translation>
</message>
<message>
<source>The service redirects to another address: {target}.</source>
<translation>El servicio redirige a otra dirección: {target}.</translation>
</message>
<message>
<source>The service redirects to {target}. The program does not follow, so that the key goes nowhere else.</source>
<translation>El servicio redirige a {target}. El programa no lo sigue, para que la clave no llegue a otro sitio.</translation>
</message>
<message>
<source>The service redirects, but does not say where to.</source>
<translation>El servicio redirige, pero no dice adónde.</translation>
</message>
<message>
<source>The service refused this: {said}.</source>
<translation>El servicio lo ha rechazado: {said}.</translation>
</message>
<message>
<source>The service refuses everything now and then</source>
<translation>El servicio lo rechaza todo de vez en cuando</translation>
</message>
<message>
<source>The service refuses the request (status {status}): {message}.</source>
<translation>El servicio rechaza la solicitud (estado {status}): {message}.</translation>
</message>
<message>
<source>The service said no, and the stock is as with your {booked} all the same. Either it was done, or somebody else booked the same.</source>
<translation>El servicio dijo que no y, aun así, el stock es el que daría su movimiento ({booked}). O ese movimiento se hizo, u otra persona registró el mismo.</translation>
</message>
<message>
<source>The service says “wait”. The program counts down and goes on by itself; you keep working.</source>
<translation>El servicio dice «espere». El programa hace la cuenta atrás y sigue solo; usted continúa trabajando.</translation>
</message>
<message>
<source>The service sent an empty answer instead of data.</source>
<translation>El servicio envió una respuesta vacía en lugar de datos.</translation>
</message>
<message numerus="yes">
<source>The service sent {n} records that this program cannot read; they are safe there.</source>
<translation>
<numerusform>El servicio envió {n} registro que este programa no puede leer; allí está a salvo.</numerusform>
<numerusform>El servicio envió {n} registros que este programa no puede leer; allí están a salvo.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>The service shows at most {n} in one answer. The others are not here.</source>
<translation>
<numerusform>El servicio muestra como máximo {n} en una respuesta. Los demás no están aquí.</numerusform>
<numerusform>El servicio muestra como máximo {n} en una respuesta. Los demás no están aquí.</numerusform>
</translation>
</message>
<message>
<source>The service states its limits in a form that cannot be used: {header}.</source>
<translation>El servicio indica sus límites de una forma que no se puede usar: {header}.</translation>
</message>
<message>
<source>The service takes no requests for {left}</source>
<translation>El servicio no acepta solicitudes durante {left}</translation>
</message>
<message>
<source>The service takes requests only so quickly, or has just failed.</source>
<translation>El servicio solo acepta peticiones a este ritmo, o acaba de fallar.</translation>
</message>
<message>
<source>The service takes the key.</source>
<translation>El servicio acepta la clave.</translation>
</message>
<message>
<source>The service took the request, but did not answer in time.</source>
<translation>El servicio recibió la solicitud, pero no respondió a tiempo.</translation>
</message>
<message>
<source>The service wants another key too: {key}.</source>
<translation>El servicio exige además otra clave: {key}.</translation>
</message>
<message>
<source>The service wants several keys. Put each where it belongs.</source>
<translation>El servicio exige varias claves. Introduzca cada una en su campo.</translation>
</message>
<message>
<source>The service will withdraw it.</source>
<translation>El servicio la retirará.</translation>
</message>
<message>
<source>The service withdraws it after {day}.</source>
<translation>El servicio la retira después del {day}.</translation>
</message>
<message>
<source>The service’s OpenAPI document cannot be used.</source>
<translation>No se puede usar el documento OpenAPI del servicio.</translation>
</message>
<message>
<source>The service’s answer did not show that it was done. The program looks, and sends nothing twice.</source>
<translation>La respuesta del servicio no mostró que se hiciera. El programa lo comprueba y no envía nada dos veces.</translation>
</message>
<message>
<source>The service’s clock and this computer’s agree.</source>
<translation>El reloj del servicio y el de este equipo coinciden.</translation>
</message>
<message>
<source>The service’s clock is {ahead}</source>
<translation>El reloj del servicio va {ahead}</translation>
</message>
<message>
<source>The service’s clock is {length} {way} this computer’s.</source>
<translation>El reloj del servicio va {length} {way} respecto al de este equipo.</translation>
</message>
<message>
<source>The service’s document has no operation for this.</source>
<translation>El documento del servicio no tiene ninguna operación para esto.</translation>
</message>
<message>
<source>The service’s own document differs from the profile that this connection follows: {differences}.</source>
<translation>El documento del servicio difiere del perfil que sigue esta conexión: {differences}.</translation>
</message>
<message>
<source>The service’s provider must turn on TLS 1.2 or later.</source>
<translation>El proveedor del servicio debe activar TLS 1.2 o posterior.</translation>
</message>
<message>
<source>The shop has not been read since {time}.</source>
<translation>La tienda no se ha leído desde {time}.</translation>
</message>
<message>
<source>The shop reopens with the new settings. Unsent changes are kept.</source>
<translation>La tienda se vuelve a abrir con los nuevos ajustes. Los cambios sin enviar se conservan.</translation>
</message>
<message>
<source>The status of a stock entry is set by the service.</source>
<translation>El estado de una ficha de stock lo establece el servicio.</translation>
</message>
<message>
<source>The stock</source>
<translation>Las fichas de stock</translation>
</message>
<message>
<source>The stock at the end of these days is not known.</source>
<translation>No se conoce el stock al final de estos días.</translation>
</message>
<message>
<source>The stock is not all on this computer, and all of it is needed to tell.</source>
<translation>No está todo el stock en este equipo, y hace falta todo para saberlo.</translation>
</message>
<message>
<source>The stock of new pets is left out.</source>
<translation>Se omite el stock de las mascotas nuevas.</translation>
</message>
<message>
<source>The stock of this pet has not been read.</source>
<translation>El stock de esta mascota no se ha leído.</translation>
</message>
<message>
<source>The stock of {name} is no longer there</source>
<translation>El stock de {name} ya no existe</translation>
</message>
<message numerus="yes">
<source>The stock of {n} new pets is left out.</source>
<translation>
<numerusform>Se omite el stock de {n} mascota nueva.</numerusform>
<numerusform>Se omite el stock de {n} mascotas nuevas.</numerusform>
</translation>
</message>
<message>
<source>The texts of all licences, what each is for, where the source of Qt is and how it is replaced: {folder}</source>
<translation>Los textos de todas las licencias, para qué vale cada una, dónde está el código fuente de Qt y cómo se reemplaza: {folder}</translation>
</message>
<message>
<source>The view {name} is deleted</source>
<translation>La vista {name} se ha eliminado</translation>
</message>
<message>
<source>The wait is over: a test request checks whether sending may resume</source>
<translation>La espera ha terminado: una solicitud de prueba comprueba si se puede reanudar el envío</translation>
</message>
<message>
<source>The&amp;n by this, descending</source>
<translation>Después por esta, de&amp;scendente</translation>
</message>
<message>
<source>Theirs</source>
<translation>Del servicio</translation>
</message>
<message>
<source>Theirs may include it already. Keep mine adds it to theirs.</source>
<translation>El valor del servicio puede incluirlo ya. «Usar el mío» lo suma al del servicio.</translation>
</message>
<message>
<source>Theme</source>
<translation>Tema</translation>
</message>
<message>
<source>Then</source>
<translation>Antes</translation>
</message>
<message>
<source>Then print labels</source>
<translation>Luego, imprimir etiquetas</translation>
</message>
<message>
<source>Then → Now</source>
<translation>Antes → Ahora</translation>
</message>
<message>
<source>There are no categories; the pets get none.</source>
<translation>No hay categorías; las mascotas no llevarán ninguna.</translation>
</message>
<message>
<source>There are no labels to print.</source>
<translation>No hay etiquetas que imprimir.</translation>
</message>
<message>
<source>There is a document, but {url} has none of the paths that it names.</source>
<translation>Hay un documento, pero {url} no tiene ninguna de las rutas que menciona.</translation>
</message>
<message>
<source>There is no category #{id}.</source>
<translation>No existe la categoría #{id}.</translation>
</message>
<message>
<source>There is no category {id} at the service</source>
<translation>El servicio no tiene la categoría {id}</translation>
</message>
<message>
<source>There is no category {name}.</source>
<translation>No existe la categoría {name}.</translation>
</message>
<message>
<source>There is no column with ids: every row is a new record.</source>
<translation>No hay ninguna columna con ids: cada fila es un registro nuevo.</translation>
</message>
<message>
<source>There is no computer called {host}.</source>
<translation>No existe ningún equipo llamado {host}.</translation>
</message>
<message>
<source>There is no connection yet. {command} makes one.</source>
<translation>Todavía no hay ninguna conexión. {command} crea una.</translation>
</message>
<message>
<source>There is no history yet</source>
<translation>Aún no hay historial</translation>
</message>
<message>
<source>There is no history yet: what was before is not known.</source>
<translation>Aún no hay historial: no se sabe qué había antes.</translation>
</message>
<message>
<source>There is no key for this connection, so nothing else was checked.</source>
<translation>Esta conexión no tiene clave, así que no se ha comprobado nada más.</translation>
</message>
<message>
<source>There is no key yet, so nothing is sent (File &gt; Change key).</source>
<translation>Aún no hay clave, así que no se envía nada (Archivo &gt; Cambiar la clave).</translation>
</message>
<message>
<source>There is no order {id} at the service</source>
<translation>El servicio no tiene el pedido {id}</translation>
</message>
<message>
<source>There is no pet #{id}.</source>
<translation>No existe la mascota #{id}.</translation>
</message>
<message>
<source>There is no pet {id} at the service</source>
<translation>El servicio no tiene la mascota {id}</translation>
</message>
<message>
<source>There is no pet {name}.</source>
<translation>No existe la mascota {name}.</translation>
</message>
<message>
<source>There is no record #{id}. Leave the id empty for a new one.</source>
<translation>No existe el registro #{id}. Deje el id vacío para crear uno nuevo.</translation>
</message>
<message>
<source>There is no stock entry for this pet.</source>
<translation>Esta mascota no tiene ficha de stock.</translation>
</message>
<message>
<source>There is no stock of pet {id} at the service</source>
<translation>El servicio no tiene stock de la mascota {id}</translation>
</message>
<message>
<source>There is no stock.</source>
<translation>No hay stock.</translation>
</message>
<message>
<source>There is no such category.</source>
<translation>No existe esa categoría.</translation>
</message>
<message>
<source>There is no such file: {file}.</source>
<translation>Ese archivo no existe: {file}.</translation>
</message>
<message>
<source>There is no such folder: {file}.</source>
<translation>No existe esa carpeta: {file}.</translation>
</message>
<message>
<source>There is no such pet.</source>
<translation>No existe esa mascota.</translation>
</message>
<message>
<source>There is no such status.</source>
<translation>No existe ese estado.</translation>
</message>
<message>
<source>There is no view in the file</source>
<translation>No hay ninguna vista en el archivo</translation>
</message>
<message>
<source>There is no view with the key {key}.</source>
<translation>No hay ninguna vista con la tecla {key}.</translation>
</message>
<message>
<source>There is none yet; this one is added with the pets.</source>
<translation>Aún no hay ninguna; esta se añade con las mascotas.</translation>
</message>
<message>
<source>There is nothing left of it to redo</source>
<translation>Ya no queda nada que rehacer</translation>
</message>
<message>
<source>There is nothing left of it to undo</source>
<translation>Ya no queda nada que deshacer</translation>
</message>
<message>
<source>There is nothing left to correct here.</source>
<translation>Aquí ya no queda nada que corregir.</translation>
</message>
<message>
<source>There is nothing to go back to.</source>
<translation>No hay nada anterior a lo que volver.</translation>
</message>
<message>
<source>There is nothing to go forward to.</source>
<translation>No hay nada posterior a lo que avanzar.</translation>
</message>
<message>
<source>There is nothing to keep: no change was made that went well.</source>
<translation>No hay nada que conservar: no se ha hecho ningún cambio con éxito.</translation>
</message>
<message>
<source>There is nothing to redo.</source>
<translation>No hay nada que rehacer.</translation>
</message>
<message>
<source>There is nothing to undo.</source>
<translation>No hay nada que deshacer.</translation>
</message>
<message>
<source>There is stock for all open orders</source>
<translation>Hay stock para todos los pedidos abiertos</translation>
</message>
<message>
<source>These lists cannot be read: {lists}.</source>
<translation>Estas listas no se pueden leer: {lists}.</translation>
</message>
<message>
<source>They are in the list, as the service has them. Nothing is deleted again by itself.</source>
<translation>Están en la lista, tal como los tiene el servicio. Nada se elimina de nuevo por sí solo.</translation>
</message>
<message>
<source>They are kept, and are not sent to this service.</source>
<translation>Se conservan y no se envían a este servicio.</translation>
</message>
<message numerus="yes">
<source>They go out at the next start ({minutes}).</source>
<translation>
<numerusform>Se enviará en el próximo inicio ({minutes}).</numerusform>
<numerusform>Se enviarán en el próximo inicio ({minutes}).</numerusform>
</translation>
</message>
<message numerus="yes">
<source>They go out at the next start.</source>
<translation>
<numerusform>Se enviará en el próximo inicio.</numerusform>
<numerusform>Se enviarán en el próximo inicio.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>They go out once you have entered the key again: this computer has no keyring that keeps it.</source>
<translation>
<numerusform>Se envían cuando vuelva a introducir la clave: este equipo no tiene un llavero que la guarde.</numerusform>
<numerusform>Se envían cuando vuelva a introducir la clave: este equipo no tiene un llavero que la guarde.</numerusform>
</translation>
</message>
<message>
<source>This address belongs to another server than the service’s own.</source>
<translation>Esta dirección pertenece a otro servidor, no al del servicio.</translation>
</message>
<message>
<source>This cannot be checked now</source>
<translation>Esto no se puede comprobar ahora</translation>
</message>
<message>
<source>This cannot be edited.</source>
<translation>Esto no se puede editar.</translation>
</message>
<message>
<source>This cannot be understood.</source>
<translation>Esto no se entiende.</translation>
</message>
<message>
<source>This cannot be understood: {text}</source>
<translation>Esto no se entiende: {text}</translation>
</message>
<message>
<source>This cannot be undone.</source>
<translation>Esto no se puede deshacer.</translation>
</message>
<message>
<source>This code cannot be remembered yet</source>
<translation>Este código aún no se puede recordar</translation>
</message>
<message>
<source>This computer first read the whole shop on {time}; nothing is known from before.</source>
<translation>Este equipo leyó toda la tienda por primera vez el {time}; no se sabe nada de antes.</translation>
</message>
<message>
<source>This computer has no keyring that can store a key.</source>
<translation>Este equipo no tiene ningún llavero donde guardar una clave.</translation>
</message>
<message>
<source>This computer has no keyring that keeps secrets, so there is no key; only the document was asked for.</source>
<translation>Este equipo no tiene un llavero que guarde secretos, así que no hay clave; solo se ha pedido el documento.</translation>
</message>
<message>
<source>This computer has no printer. Save a PDF instead.</source>
<translation>Este equipo no tiene impresora. Guarde un PDF en su lugar.</translation>
</message>
<message numerus="yes">
<source>This computer sent about {n} of them, other programs with the same key the rest.</source>
<translation>
<numerusform>Este equipo envió aproximadamente {n}; otros programas con la misma clave, el resto.</numerusform>
<numerusform>Este equipo envió unas {n}; otros programas con la misma clave, el resto.</numerusform>
</translation>
</message>
<message>
<source>This computer trusts the certificate.</source>
<translation>Este equipo confía en el certificado.</translation>
</message>
<message>
<source>This computer’s keyring refused the request.</source>
<translation>El llavero de este equipo rechazó la solicitud.</translation>
</message>
<message>
<source>This computer’s time; the service’s clock is {ahead}.</source>
<translation>Hora de este equipo; el reloj del servicio va {ahead}.</translation>
</message>
<message>
<source>This connection is read-only (File &gt; Connection settings).</source>
<translation>Esta conexión es de solo lectura (Archivo &gt; Ajustes de la conexión).</translation>
</message>
<message>
<source>This could not be checked.</source>
<translation>Esto no se ha podido comprobar.</translation>
</message>
<message>
<source>This count is closed. Begin a new one to count.</source>
<translation>Este recuento está cerrado. Empiece uno nuevo para contar.</translation>
</message>
<message>
<source>This date can be read in two ways.</source>
<translation>Esta fecha se puede leer de dos formas.</translation>
</message>
<message>
<source>This date cannot be read. The service wrote: {raw}</source>
<translation>Esta fecha no se puede leer. El servicio escribió: {raw}</translation>
</message>
<message>
<source>This day is still to come.</source>
<translation>Ese día aún no ha llegado.</translation>
</message>
<message>
<source>This file is empty.</source>
<translation>Este archivo está vacío.</translation>
</message>
<message>
<source>This file is too large. Nothing was imported. Split it, and import the parts.</source>
<translation>Este archivo es demasiado grande. No se ha importado nada. Divídalo e importe las partes.</translation>
</message>
<message>
<source>This is a PDF, not a table.</source>
<translation>Esto es un PDF, no una tabla.</translation>
</message>
<message>
<source>This is a compressed file. Unpack it, and import the table in it.</source>
<translation>Este archivo está comprimido. Descomprímalo e importe la tabla que contiene.</translation>
</message>
<message>
<source>This is a database, not a table.</source>
<translation>Esto es una base de datos, no una tabla.</translation>
</message>
<message>
<source>This is a picture, not a table.</source>
<translation>Esto es una imagen, no una tabla.</translation>
</message>
<message>
<source>This is a program, not a table.</source>
<translation>Esto es un programa, no una tabla.</translation>
</message>
<message>
<source>This is before the first day.</source>
<translation>Es anterior al primer día.</translation>
</message>
<message>
<source>This is being deleted.</source>
<translation>Esto se está eliminando.</translation>
</message>
<message>
<source>This is being sent and cannot be discarded now. What became of it is shown shortly.</source>
<translation>Esto se está enviando y ahora no se puede descartar. En breve se mostrará el resultado.</translation>
</message>
<message>
<source>This is less than the limit per minute. Please check.</source>
<translation>Es menos que el límite por minuto. Compruébelo.</translation>
</message>
<message>
<source>This is not a complete file of bar codes: {file}.</source>
<translation>Este no es un archivo de códigos de barras completo: {file}.</translation>
</message>
<message>
<source>This is not a complete file of views: {file}.</source>
<translation>Este no es un archivo de vistas completo: {file}.</translation>
</message>
<message>
<source>This is not a text file, so it has no table to read.</source>
<translation>Esto no es un archivo de texto, así que no contiene una tabla legible.</translation>
</message>
<message>
<source>This is not an OpenAPI document.</source>
<translation>Esto no es un documento OpenAPI.</translation>
</message>
<message>
<source>This is not an OpenAPI document: it does not say which version of OpenAPI it follows.</source>
<translation>Esto no es un documento OpenAPI: no dice qué versión de OpenAPI sigue.</translation>
</message>
<message>
<source>This is not an id.</source>
<translation>Esto no es un id.</translation>
</message>
<message>
<source>This is not sent yet: there is nothing to ask the service for.</source>
<translation>Esto aún no se ha enviado: no hay nada que consultar al servicio.</translation>
</message>
<message>
<source>This is not the address of a service.</source>
<translation>Esta no es la dirección de un servicio.</translation>
</message>
<message>
<source>This is not the address of a service. Nothing was sent.</source>
<translation>Esta no es la dirección de un servicio. No se ha enviado nada.</translation>
</message>
<message>
<source>This is not the address of a service; one begins with https://.</source>
<translation>Esta no es la dirección de un servicio; debe empezar por https://.</translation>
</message>
<message>
<source>This is unusually long: ask the service’s provider. The program waits.</source>
<translation>Es un tiempo inusualmente largo: consulte al proveedor del servicio. El programa espera.</translation>
</message>
<message>
<source>This is worked out. Enter the minimum and “Order up to” in the columns before it.</source>
<translation>Este valor se calcula. Escriba el mínimo y hasta cuánto se pide en las columnas anteriores.</translation>
</message>
<message>
<source>This key contains characters that cannot be sent. Copy it again.</source>
<translation>Esta clave contiene caracteres que no se pueden enviar. Cópiela de nuevo.</translation>
</message>
<message>
<source>This key is banned already; another request may make the ban longer.</source>
<translation>Esta clave ya está suspendida; otra solicitud puede alargar la suspensión.</translation>
</message>
<message>
<source>This key is banned for a while. Another key for the same service waits as long.</source>
<translation>Esta clave está suspendida por un tiempo. Otra clave del mismo servicio esperará lo mismo.</translation>
</message>
<message>
<source>This key is banned: nothing is sent before {time} (in {left})</source>
<translation>Esta clave está suspendida: no se envía nada hasta {time} (dentro de {left})</translation>
</message>
<message>
<source>This key is longer than 16,384 characters, which no service takes. Copy it again.</source>
<translation>Esta clave supera los 16 384 caracteres, lo que ningún servicio acepta. Cópiela de nuevo.</translation>
</message>
<message>
<source>This key may not do this: {said}.</source>
<translation>Esta clave no puede hacer esto: {said}.</translation>
</message>
<message>
<source>This list cannot be read: {lists}.</source>
<translation>Esta lista no se puede leer: {lists}.</translation>
</message>
<message>
<source>This may be the address of a website: ask for the address of the API. Or the network wants you to sign in first: open the address in a browser.</source>
<translation>Puede ser la dirección de un sitio web: pida la dirección de la API. O la red exige iniciar sesión antes: abra la dirección en un navegador.</translation>
</message>
<message>
<source>This minute’s requests are used up: it goes on in {left}</source>
<translation>Solicitudes de este minuto agotadas: continúa dentro de {left}</translation>
</message>
<message>
<source>This month</source>
<translation>Este mes</translation>
</message>
<message>
<source>This number can be read in two ways.</source>
<translation>Este número se puede leer de dos formas.</translation>
</message>
<message>
<source>This number is too large for the service.</source>
<translation>Este número es demasiado grande para el servicio.</translation>
</message>
<message>
<source>This number is too large.</source>
<translation>Este número es demasiado grande.</translation>
</message>
<message>
<source>This order</source>
<translation>Este pedido</translation>
</message>
<message>
<source>This order has no id: it can only be read.</source>
<translation>Este pedido no tiene id: solo se puede leer.</translation>
</message>
<message>
<source>This order is complete already.</source>
<translation>Este pedido ya está completado.</translation>
</message>
<message>
<source>This pet is {status}.</source>
<translation>Esta mascota está {status}.</translation>
</message>
<message>
<source>This record is gone.</source>
<translation>Este registro ya no existe.</translation>
</message>
<message>
<source>This removes its key from the keyring and its data from this computer: the copy of its lists, the history, your views and minimum stock.</source>
<translation>Esto borra su clave del llavero y sus datos de este equipo: la copia de sus listas, el historial, sus vistas y el stock mínimo.</translation>
</message>
<message>
<source>This replaces the view {name}.</source>
<translation>Esto reemplaza la vista {name}.</translation>
</message>
<message>
<source>This service does not delete them: once sent, this cannot be undone.</source>
<translation>En este servicio no se pueden eliminar: una vez enviado, no se puede deshacer.</translation>
</message>
<message>
<source>This service does not offer that.</source>
<translation>Este servicio no ofrece eso.</translation>
</message>
<message>
<source>This service signs people in elsewhere. Paste an access token.</source>
<translation>En este servicio se inicia sesión en otro sitio. Pegue un token de acceso.</translation>
</message>
<message>
<source>This shop has no categories yet</source>
<translation>Esta tienda aún no tiene categorías</translation>
</message>
<message>
<source>This shop has no orders</source>
<translation>Esta tienda no tiene pedidos</translation>
</message>
<message>
<source>This shop has no pets yet</source>
<translation>Esta tienda aún no tiene mascotas</translation>
</message>
<message>
<source>This shop has no stock entries</source>
<translation>Esta tienda no tiene fichas de stock</translation>
</message>
<message>
<source>This shop has not been read yet: what is in it is not known.</source>
<translation>Esta tienda aún no se ha leído: no se sabe qué contiene.</translation>
</message>
<message>
<source>This shop is empty. Add its first pet under Pets.</source>
<translation>Esta tienda está vacía. Añada su primera mascota en Mascotas.</translation>
</message>
<message>
<source>This takes more than half of the requests that are left for today.</source>
<translation>Esto consume más de la mitad de las solicitudes que quedan para hoy.</translation>
</message>
<message>
<source>This text can be read in several ways.</source>
<translation>Este texto se puede leer de varias maneras.</translation>
</message>
<message>
<source>This value cannot be sent.</source>
<translation>Este valor no se puede enviar.</translation>
</message>
<message>
<source>This week</source>
<translation>Esta semana</translation>
</message>
<message>
<source>This workbook cannot be read. Save it as XLSX or CSV, and import that.</source>
<translation>Este libro no se puede leer. Guárdelo como XLSX o CSV e importe ese archivo.</translation>
</message>
<message>
<source>This workbook is old or has a password. Save it as XLSX or CSV, and import that.</source>
<translation>Este libro es antiguo o tiene contraseña. Guárdelo como XLSX o CSV e importe ese archivo.</translation>
</message>
<message>
<source>Throw away</source>
<translation>Desechar</translation>
</message>
<message>
<source>Throw them away</source>
<translation>Desecharlos</translation>
</message>
<message>
<source>Time</source>
<translation>Hora</translation>
</message>
<message>
<source>Times are this computer’s; the service’s clock is {ahead}.</source>
<translation>Las horas son las de este equipo; el reloj del servicio va {ahead}.</translation>
</message>
<message>
<source>To</source>
<translation>Hasta</translation>
</message>
<message>
<source>To change</source>
<translation>A modificar</translation>
</message>
<message>
<source>To come</source>
<translation>Próximos</translation>
</message>
<message>
<source>To count</source>
<translation>Por contar</translation>
</message>
<message>
<source>To order</source>
<translation>A pedir</translation>
</message>
<message>
<source>To report it, copy the details. Then continue.</source>
<translation>Para informar del error, copie los detalles. Después, continúe.</translation>
</message>
<message>
<source>To send them, connect to that address again.</source>
<translation>Para enviarlos, conéctese de nuevo a esa dirección.</translation>
</message>
<message>
<source>To set one, select pets, stock or categories, then choose Shop &gt; Minimum stock.</source>
<translation>Para establecer uno, seleccione mascotas, stock o categorías y elija Tienda &gt; Stock mínimo.</translation>
</message>
<message>
<source>Today</source>
<translation>Hoy</translation>
</message>
<message numerus="yes">
<source>Today’s requests are not enough for this. The rest is saved on this computer, and goes out by itself on the next {n} days.</source>
<translation>
<numerusform>Las solicitudes de hoy no bastan para esto. El resto se guarda en este equipo y se envía por sí solo al día siguiente.</numerusform>
<numerusform>Las solicitudes de hoy no bastan para esto. El resto se guarda en este equipo y se envía por sí solo en los próximos {n} días.</numerusform>
</translation>
</message>
<message>
<source>Today’s requests are used up</source>
<translation>Las solicitudes de hoy están agotadas</translation>
</message>
<message>
<source>Today’s requests are used up: changes go out when the program is open after {time}.</source>
<translation>Las solicitudes de hoy están agotadas: los cambios se enviarán si el programa está abierto a partir de {time}.</translation>
</message>
<message numerus="yes">
<source>Today’s {n} requests are used up</source>
<translation>
<numerusform>La solicitud de hoy está agotada</numerusform>
<numerusform>Las {n} solicitudes de hoy están agotadas</numerusform>
</translation>
</message>
<message>
<source>Tomorrow</source>
<translation>Mañana</translation>
</message>
<message>
<source>Too large.</source>
<translation>Demasiado grande.</translation>
</message>
<message>
<source>Too small.</source>
<translation>Demasiado pequeño.</translation>
</message>
<message>
<source>Took</source>
<translation>Duración</translation>
</message>
<message>
<source>Took, s</source>
<translation>Duración (s)</translation>
</message>
<message>
<source>Treat scans as typing</source>
<translation>Tratar las lecturas como texto tecleado</translation>
</message>
<message>
<source>Try again</source>
<translation>Reintentar</translation>
</message>
<message>
<source>Try again later.</source>
<translation>Inténtelo más tarde.</translation>
</message>
<message>
<source>Try again later. If it keeps failing, ask the service’s provider.</source>
<translation>Inténtelo más tarde. Si sigue fallando, consulte al proveedor del servicio.</translation>
</message>
<message>
<source>Try again later. If it keeps failing, tell the service’s provider.</source>
<translation>Inténtelo más tarde. Si sigue fallando, avise al proveedor del servicio.</translation>
</message>
<message>
<source>Try again, or see the server response.</source>
<translation>Inténtelo de nuevo o vea la respuesta del servidor.</translation>
</message>
<message>
<source>Try again.</source>
<translation>Inténtelo de nuevo.</translation>
</message>
<message>
<source>Try again. If it fails again, ask the service’s provider.</source>
<translation>Inténtelo de nuevo. Si vuelve a fallar, consulte al proveedor del servicio.</translation>
</message>
<message>
<source>Try again. If it fails again, check the network and the address.</source>
<translation>Inténtelo de nuevo. Si vuelve a fallar, compruebe la red y la dirección.</translation>
</message>
<message>
<source>Try again. If it happens often, check the network or the proxy.</source>
<translation>Inténtelo de nuevo. Si ocurre a menudo, compruebe la red o el proxy.</translation>
</message>
<message>
<source>Try the demo shop</source>
<translation>Probar la tienda demo</translation>
</message>
<message>
<source>Type +12 into a stock, and Enter: saved on this computer first, then sent, once.</source>
<translation>Escriba +12 en un stock, e Intro: primero se guarda en este equipo, luego se envía, una vez.</translation>
</message>
<message>
<source>Type a name or an id</source>
<translation>Escriba un nombre o un id</translation>
</message>
<message>
<source>Type a pet’s name or id.</source>
<translation>Escriba el nombre o el id de una mascota.</translation>
</message>
<message>
<source>Type in a cell to replace its value; +12 adds, =40 sets.</source>
<translation>Escriba en una celda para reemplazar su valor; +12 suma, =40 fija.</translation>
</message>
<message>
<source>Type it in the column Minimum, or select categories and choose Shop &gt; Minimum stock.</source>
<translation>Escríbalo en la columna Mínimo, o seleccione categorías y elija Tienda &gt; Stock mínimo.</translation>
</message>
<message>
<source>UTF-16, other byte order</source>
<translation>UTF-16, orden de bytes inverso</translation>
</message>
<message>
<source>Unconfirmed</source>
<translation>Sin confirmar</translation>
</message>
<message>
<source>Undo</source>
<translation>Deshacer</translation>
</message>
<message>
<source>Undo these changes</source>
<translation>Deshacer estos cambios</translation>
</message>
<message>
<source>Undo what was before</source>
<translation>Deshacer lo anterior</translation>
</message>
<message>
<source>Undo: {what}</source>
<translation>Deshacer: {what}</translation>
</message>
<message>
<source>Undone {time}, never sent.</source>
<translation>Deshecho ({time}), sin llegar a enviarse.</translation>
</message>
<message>
<source>Undone {time}.</source>
<translation>Deshecho ({time}).</translation>
</message>
<message>
<source>Undone {time}; the service had refused it.</source>
<translation>Deshecho ({time}); el servicio lo había rechazado.</translation>
</message>
<message>
<source>Undone: {what}</source>
<translation>Deshecho: {what}</translation>
</message>
<message>
<source>Unexpected error: {name}.</source>
<translation>Error inesperado: {name}.</translation>
</message>
<message>
<source>Unfr&amp;eeze columns</source>
<translation>Movi&amp;lizar columnas</translation>
</message>
<message>
<source>Unknown code</source>
<translation>Código desconocido</translation>
</message>
<message>
<source>Unknown code {code}</source>
<translation>Código desconocido {code}</translation>
</message>
<message>
<source>Unknown code {code}: kept under Unknown codes</source>
<translation>Código desconocido {code}: se conserva en Códigos desconocidos</translation>
</message>
<message>
<source>Unknown codes</source>
<translation>Códigos desconocidos</translation>
</message>
<message>
<source>Unlock it, then enter the key again.</source>
<translation>Desbloquéelo e introduzca la clave de nuevo.</translation>
</message>
<message>
<source>Unlock or set up the keyring, then enter the key again.</source>
<translation>Desbloquee o configure el llavero e introduzca la clave de nuevo.</translation>
</message>
<message>
<source>Unlock the keyring, then check again.</source>
<translation>Desbloquee el llavero y repita la comprobación.</translation>
</message>
<message>
<source>Unsent</source>
<translation>Sin enviar</translation>
</message>
<message>
<source>Unsent categories</source>
<translation>Categorías con cambios sin enviar</translation>
</message>
<message>
<source>Unsent changes are discarded; the records show the service’s values again.</source>
<translation>Los cambios sin enviar se descartan; los registros vuelven a mostrar los valores del servicio.</translation>
</message>
<message>
<source>Unsent changes stay here until you turn this off.</source>
<translation>Los cambios sin enviar permanecen aquí hasta que desactive esto.</translation>
</message>
<message>
<source>Unsent orders</source>
<translation>Pedidos con cambios sin enviar</translation>
</message>
<message>
<source>Unsent stock</source>
<translation>Stock con cambios sin enviar</translation>
</message>
<message>
<source>Unusually large: please check</source>
<translation>Inusualmente grande: compruébelo</translation>
</message>
<message>
<source>Up and Down change the part under the caret, Alt+Down opens a calendar</source>
<translation>Arriba y Abajo cambian la parte bajo el cursor; Alt+Abajo abre un calendario</translation>
</message>
<message>
<source>Use QR codes</source>
<translation>Usar códigos QR</translation>
</message>
<message>
<source>Use an address that begins with https://. Plain http works only on this computer.</source>
<translation>Use una dirección que empiece por https://. El http sin cifrar solo funciona en este equipo.</translation>
</message>
<message>
<source>Use for this</source>
<translation>Usar para esto</translation>
</message>
<message>
<source>Use for “{what}”</source>
<translation>Usar para «{what}»</translation>
</message>
<message>
<source>Use that window, or close it.</source>
<translation>Use esa ventana o ciérrela.</translation>
</message>
<message>
<source>Use this key</source>
<translation>Usar esta clave</translation>
</message>
<message>
<source>Use this size</source>
<translation>Usar este tamaño</translation>
</message>
<message>
<source>Use {address}</source>
<translation>Usar {address}</translation>
</message>
<message>
<source>Use {url}.</source>
<translation>Use {url}.</translation>
</message>
<message>
<source>Used in the last 24 hours</source>
<translation>Usadas en las últimas 24 horas</translation>
</message>
<message>
<source>Used since {time}</source>
<translation>Usadas desde {time}</translation>
</message>
<message>
<source>Used today</source>
<translation>Usadas hoy</translation>
</message>
<message>
<source>Used up</source>
<translation>Agotadas</translation>
</message>
<message>
<source>Used up at about {time} at this pace</source>
<translation>A este ritmo, se agotan hacia {time}</translation>
</message>
<message>
<source>Used up. Full again at {time}.</source>
<translation>Agotadas. Se renuevan: {time}.</translation>
</message>
<message>
<source>Values that the service needs and that are not known: {names}. Enter them in the connection’s settings.</source>
<translation>Valores que necesita el servicio y que no se conocen: {names}. Introdúzcalos en los ajustes de la conexión.</translation>
</message>
<message>
<source>Variances</source>
<translation>Diferencias</translation>
</message>
<message>
<source>Version {version}</source>
<translation>Versión {version}</translation>
</message>
<message>
<source>Version {version} is available</source>
<translation>La versión {version} está disponible</translation>
</message>
<message>
<source>Vie&amp;ws</source>
<translation>&amp;Vistas</translation>
</message>
<message>
<source>View {n} of the file</source>
<translation>Vista {n} del archivo</translation>
</message>
<message>
<source>View {n} of the file, {name}</source>
<translation>Vista {n} del archivo, {name}</translation>
</message>
<message>
<source>View · {list}</source>
<translation>Vista · {list}</translation>
</message>
<message>
<source>Views (*.json)</source>
<translation>Vistas (*.json)</translation>
</message>
<message>
<source>Views of this list</source>
<translation>Vistas de esta lista</translation>
</message>
<message>
<source>Violet</source>
<translation>Violeta</translation>
</message>
<message>
<source>Wait until the ban ends. Check whether another program still sends with this key.</source>
<translation>Espere a que termine la suspensión. Compruebe si otro programa sigue enviando con esta clave.</translation>
</message>
<message>
<source>Wait, then check again.</source>
<translation>Espere y repita la comprobación.</translation>
</message>
<message>
<source>Wait: it goes on by itself. If it happens again, ask the service’s provider.</source>
<translation>Espere: continúa por sí solo. Si vuelve a ocurrir, consulte al proveedor del servicio.</translation>
</message>
<message>
<source>Wait: sending now would make the ban longer.</source>
<translation>Espere: enviar ahora alargaría la suspensión.</translation>
</message>
<message>
<source>Waited</source>
<translation>Espera</translation>
</message>
<message>
<source>Waited, s</source>
<translation>Espera (s)</translation>
</message>
<message>
<source>Waiting</source>
<translation>En espera</translation>
</message>
<message>
<source>Waiting: {wait}.</source>
<translation>En espera: {wait}.</translation>
</message>
<message>
<source>Waits for its turn, until {time}.</source>
<translation>Espera su turno, hasta {time}.</translation>
</message>
<message>
<source>Waits for its turn.</source>
<translation>Espera su turno.</translation>
</message>
<message>
<source>Waits for the minute’s requests, until {time}.</source>
<translation>Espera a las peticiones del próximo minuto, hasta {time}.</translation>
</message>
<message>
<source>Waits for the minute’s requests.</source>
<translation>Espera a las peticiones del próximo minuto.</translation>
</message>
<message>
<source>Waits for the next day’s requests, until {time}.</source>
<translation>Espera a las peticiones del próximo día, hasta {time}.</translation>
</message>
<message>
<source>Waits for the next day’s requests.</source>
<translation>Espera a las peticiones del próximo día.</translation>
</message>
<message>
<source>Weekly report: &amp;last week…</source>
<translation>Informe semanal: semana &amp;pasada…</translation>
</message>
<message>
<source>Weekly report: &amp;this week…</source>
<translation>Informe semanal: &amp;esta semana…</translation>
</message>
<message>
<source>What</source>
<translation>Qué</translation>
</message>
<message>
<source>What came in</source>
<translation>Lo que ha llegado</translation>
</message>
<message>
<source>What changed</source>
<translation>Qué ha cambiado</translation>
</message>
<message>
<source>What changed in these days is not known.</source>
<translation>No se sabe qué cambió en estos días.</translation>
</message>
<message numerus="yes">
<source>What changed in {lists} is not known: these lists have not been read whole.</source>
<translation>
<numerusform>No se sabe qué ha cambiado en la lista {lists}: no se ha leído por completo.</numerusform>
<numerusform>No se sabe qué ha cambiado en las listas {lists}: no se han leído por completo.</numerusform>
</translation>
</message>
<message>
<source>What changed is known since {time}, when the history on this computer begins.</source>
<translation>Lo que ha cambiado se conoce desde el {time}, cuando empieza el historial en este equipo.</translation>
</message>
<message>
<source>What changed since {time} is not known.</source>
<translation>No se sabe qué ha cambiado desde {time}.</translation>
</message>
<message>
<source>What changes while you are away is listed here.</source>
<translation>Aquí se muestra lo que cambia mientras usted no está.</translation>
</message>
<message>
<source>What is shown</source>
<translation>Lo que se muestra</translation>
</message>
<message>
<source>What to count</source>
<translation>Qué contar</translation>
</message>
<message>
<source>What was sent is in the shop. Changes that were still waiting are not sent by themselves.</source>
<translation>Lo enviado está en la tienda. Los cambios que aún esperaban no se envían por sí solos.</translation>
</message>
<message>
<source>What was sent is in the shop. Changes that were still waiting, if any, are lost with the file.</source>
<translation>Lo enviado está en la tienda. Los cambios que aún esperaban, si los había, se han perdido con el archivo.</translation>
</message>
<message numerus="yes">
<source>What was sent is in the shop. {n} changes that were still waiting are not sent by themselves; they are listed in {list}.</source>
<translation>
<numerusform>Lo enviado está en la tienda. {n} cambio que aún esperaba no se envía por sí solo; figura en {list}.</numerusform>
<numerusform>Lo enviado está en la tienda. {n} cambios que aún esperaban no se envían por sí solos; figuran en {list}.</numerusform>
</translation>
</message>
<message>
<source>What will change</source>
<translation>Lo que cambiará</translation>
</message>
<message>
<source>What you add here is saved at once and sent to the service.</source>
<translation>Lo que se añade aquí se guarda al momento y se envía al servicio.</translation>
</message>
<message>
<source>What you did here is thrown away. Nothing of it has reached the shop.</source>
<translation>Lo que se ha hecho aquí se desecha. Nada de ello ha llegado a la tienda.</translation>
</message>
<message>
<source>What you saved is safe.</source>
<translation>Lo que guardó está a salvo.</translation>
</message>
<message>
<source>What you saved is safe. This report stays on this computer; it holds no key and no record.</source>
<translation>Lo que guardó está a salvo. Este informe permanece en este equipo; no contiene ninguna clave ni ningún registro.</translation>
</message>
<message>
<source>What you typed will be lost.</source>
<translation>Se perderá lo que ha escrito.</translation>
</message>
<message>
<source>What {shop} offers is not known yet.</source>
<translation>Aún no se sabe qué ofrece {shop}.</translation>
</message>
<message>
<source>Which id of an entry a change of stock means ({name}, or the entry’s own) is found out by reading, before the first one; where the service does not tell, stock is only read.</source>
<translation>Qué id de una entrada indica un cambio de stock ({name} o el propio de la entrada) se averigua leyendo, antes del primero; si el servicio no lo indica, el stock solo se lee.</translation>
</message>
<message>
<source>Which orders are overdue is not known.</source>
<translation>No se sabe qué pedidos están atrasados.</translation>
</message>
<message>
<source>Which pet is {code}?</source>
<translation>¿A qué mascota corresponde {code}?</translation>
</message>
<message>
<source>Which pet is {code}? Type its id or name, then press Enter.</source>
<translation>¿A qué mascota corresponde {code}? Escriba su id o nombre y pulse Intro.</translation>
</message>
<message>
<source>Which pet?</source>
<translation>¿Qué mascota?</translation>
</message>
<message>
<source>Which stock is low is not known.</source>
<translation>No se sabe qué stock es bajo.</translation>
</message>
<message>
<source>Who</source>
<translation>Quién</translation>
</message>
<message>
<source>Windows, Arabic (1256)</source>
<translation>Windows, árabe (1256)</translation>
</message>
<message>
<source>Windows, Baltic (1257)</source>
<translation>Windows, báltico (1257)</translation>
</message>
<message>
<source>Windows, Central Europe (1250)</source>
<translation>Windows, Europa central (1250)</translation>
</message>
<message>
<source>Windows, Cyrillic (1251)</source>
<translation>Windows, cirílico (1251)</translation>
</message>
<message>
<source>Windows, Greek (1253)</source>
<translation>Windows, griego (1253)</translation>
</message>
<message>
<source>Windows, Hebrew (1255)</source>
<translation>Windows, hebreo (1255)</translation>
</message>
<message>
<source>Windows, Thai (874)</source>
<translation>Windows, tailandés (874)</translation>
</message>
<message>
<source>Windows, Turkish (1254)</source>
<translation>Windows, turco (1254)</translation>
</message>
<message>
<source>Windows, Western (1252)</source>
<translation>Windows, occidental (1252)</translation>
</message>
<message>
<source>With plain http, others on the way to {host} could read the key. Nothing was sent.</source>
<translation>Con http sin cifrar, otros podrían leer la clave de camino a {host}. No se ha enviado nada.</translation>
</message>
<message>
<source>Without</source>
<translation>Sin</translation>
</message>
<message>
<source>Without a category</source>
<translation>Sin categoría</translation>
</message>
<message>
<source>Without a ship date</source>
<translation>Sin fecha de envío</translation>
</message>
<message>
<source>Without a time zone, shown as it is. The service wrote: {raw}</source>
<translation>Sin zona horaria, se muestra tal cual. El servicio escribió: {raw}</translation>
</message>
<message>
<source>Worth a look</source>
<translation>Para revisar</translation>
</message>
<message>
<source>Write names with dots between them, such as category.id.</source>
<translation>Escriba los nombres separados por puntos, como category.id.</translation>
</message>
<message>
<source>Wrong</source>
<translation>Erróneas</translation>
</message>
<message>
<source>Year-Month-Day</source>
<translation>Año-mes-día</translation>
</message>
<message>
<source>Yesterday</source>
<translation>Ayer</translation>
</message>
<message>
<source>You already have all bar codes of the file</source>
<translation>Ya tiene todos los códigos de barras del archivo</translation>
</message>
<message>
<source>You already have all views of the file</source>
<translation>Ya tiene todas las vistas del archivo</translation>
</message>
<message>
<source>You can read and edit everything on this computer.</source>
<translation>Se puede leer y editar todo en este equipo.</translation>
</message>
<message>
<source>You can set a minimum once the service has given it an id</source>
<translation>El mínimo se puede establecer cuando el servicio le haya dado un id</translation>
</message>
<message>
<source>You can undo it here, even weeks later.</source>
<translation>Aquí se puede deshacer, incluso semanas después.</translation>
</message>
<message>
<source>You chose {endpoint}, which the document no longer has or which cannot be used.</source>
<translation>Usted eligió {endpoint}, que ya no está en el documento o no se puede usar.</translation>
</message>
<message numerus="yes">
<source>You corrected {n} cells.</source>
<translation>
<numerusform>Ha corregido {n} celda.</numerusform>
<numerusform>Ha corregido {n} celdas.</numerusform>
</translation>
</message>
<message>
<source>You don’t need to do anything.</source>
<translation>No hay que hacer nada.</translation>
</message>
<message>
<source>You have not been away yet.</source>
<translation>Aún no hay una visita anterior.</translation>
</message>
<message>
<source>You, {time}</source>
<translation>Usted, {time}</translation>
</message>
<message>
<source>Your bar codes are unchanged.</source>
<translation>Sus códigos de barras no han cambiado.</translation>
</message>
<message>
<source>Your changes and all other data are safe. The readable part of it is still used.</source>
<translation>Sus cambios y todos los demás datos están a salvo. La parte legible se sigue usando.</translation>
</message>
<message>
<source>Your changes and all other data are safe; only that list starts again.</source>
<translation>Sus cambios y todos los demás datos están a salvo; solo esa lista empieza de nuevo.</translation>
</message>
<message>
<source>Your changes and all other data are safe; only the history starts again.</source>
<translation>Sus cambios y todos los demás datos están a salvo; solo el historial empieza de nuevo.</translation>
</message>
<message>
<source>Your changes are kept in a network folder: {file}.</source>
<translation>Sus cambios se guardan en una carpeta de red: {file}.</translation>
</message>
<message>
<source>Your changes are safe, and all else goes on. What changes meanwhile is recorded with less exact times.</source>
<translation>Sus cambios están a salvo y todo lo demás continúa. Lo que cambie entretanto se anota con horas menos exactas.</translation>
</message>
<message>
<source>Your changes are safe, and sending goes on; only the list of requests will have gaps.</source>
<translation>Sus cambios están a salvo y el envío continúa; solo la lista de solicitudes tendrá huecos.</translation>
</message>
<message>
<source>Your changes are safe. Before anything else is sent, one test request checks for a pause.</source>
<translation>Sus cambios están a salvo. Antes de enviar nada más, una solicitud de prueba comprueba si hay una pausa.</translation>
</message>
<message>
<source>Your changes are safe; its data is read from the service again.</source>
<translation>Sus cambios están a salvo; los datos del archivo se leen de nuevo del servicio.</translation>
</message>
<message>
<source>Your changes are saved on this computer and go out by themselves {when}.</source>
<translation>Sus cambios están guardados en este equipo y se envían por sí solos {when}.</translation>
</message>
<message>
<source>Your changes are saved on this computer.</source>
<translation>Sus cambios están guardados en este equipo.</translation>
</message>
<message>
<source>Your changes are saved on this computer; nothing is sent until a key works.</source>
<translation>Sus cambios están guardados en este equipo; no se envía nada hasta que funcione una clave.</translation>
</message>
<message>
<source>Your changes are saved on this computer; what needs this key is not sent until one works.</source>
<translation>Sus cambios están guardados en este equipo; lo que necesita esta clave no se envía hasta que funcione una.</translation>
</message>
<message>
<source>Your changes are saved on this computer; what needs this key is not sent until then.</source>
<translation>Sus cambios están guardados en este equipo; lo que necesita esta clave no se envía hasta entonces.</translation>
</message>
<message>
<source>Your data on this computer is kept.</source>
<translation>Sus datos de este equipo se conservan.</translation>
</message>
<message>
<source>Your draft of {time} is filled in.</source>
<translation>Se ha rellenado con su borrador de {time}.</translation>
</message>
<message numerus="yes">
<source>Your plan allows {n} in a minute, and this computer has sent as many.</source>
<translation>
<numerusform>Su plan permite {n} por minuto, y este equipo ya la ha enviado.</numerusform>
<numerusform>Su plan permite {n} por minuto, y este equipo ya las ha enviado.</numerusform>
</translation>
</message>
<message>
<source>Your shops</source>
<translation>Sus tiendas</translation>
</message>
<message>
<source>Your shop’s name, or a greeting</source>
<translation>El nombre de la tienda o un saludo</translation>
</message>
<message>
<source>Your shop’s pets, stock and orders, online and offline.</source>
<translation>Las mascotas, el stock y los pedidos de su tienda, con y sin conexión.</translation>
</message>
<message>
<source>Your views are unchanged.</source>
<translation>Sus vistas no han cambiado.</translation>
</message>
<message numerus="yes">
<source>Your {n} changes are saved on this computer and go out afterwards.</source>
<translation>
<numerusform>Su cambio está guardado en este equipo y se envía después.</numerusform>
<numerusform>Sus {n} cambios están guardados en este equipo y se envían después.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>Your {n} changes are saved on this computer; they go out by themselves {when}.</source>
<translation>
<numerusform>Su cambio está guardado en este equipo; se envía por sí solo {when}.</numerusform>
<numerusform>Sus {n} cambios están guardados en este equipo; se envían por sí solos {when}.</numerusform>
</translation>
</message>
<message>
<source>Yours of {acted}; changed elsewhere, seen {seen}.</source>
<translation>Su cambio: {acted}; modificado en otro lugar, visto: {seen}.</translation>
</message>
<message>
<source>a cache answered for the service, so that a change by somebody else could have been overwritten. Sent again, it rests on what was last seen</source>
<translation>respondió una caché en lugar del servicio, y se podría haber sobrescrito un cambio de otra persona. Si se envía de nuevo, se basa en lo último visto</translation>
</message>
<message>
<source>a cell holds at most {most} signs, and a text is longer; nothing was written: use csv or json</source>
<translation>una celda admite como máximo {most} caracteres y un texto es más largo; no se ha escrito nada: use csv o json</translation>
</message>
<message>
<source>a connection needs a name</source>
<translation>una conexión necesita un nombre</translation>
</message>
<message>
<source>a day such as {day}, or a word such as today</source>
<translation>un día como {day}, o una palabra como «hoy»</translation>
</message>
<message>
<source>a deleted order stays deleted</source>
<translation>un pedido eliminado queda eliminado</translation>
</message>
<message>
<source>a file in the format {format} is nothing for a terminal; say where it is to go with --out FILE</source>
<translation>un archivo en formato {format} no se puede mostrar en un terminal; indique dónde guardarlo con --out ARCHIVO</translation>
</message>
<message>
<source>a guess, read only</source>
<translation>deducido, solo lectura</translation>
</message>
<message>
<source>a later day</source>
<translation>un día posterior</translation>
</message>
<message>
<source>a moment</source>
<translation>menos de un minuto</translation>
</message>
<message>
<source>a number from 1 to 1,000,000</source>
<translation>un número de 1 a 1 000 000</translation>
</message>
<message>
<source>a number such as 5, &gt;10 or 10..20</source>
<translation>un número como 5, &gt;10 o 10..20</translation>
</message>
<message>
<source>a sheet holds at most {most} rows; nothing was written: use the format csv or json</source>
<translation>una hoja admite como máximo {most} filas; no se ha escrito nada: use el formato csv o json</translation>
</message>
<message>
<source>a test request checks whether sending may resume</source>
<translation>una solicitud de prueba comprueba si se puede reanudar el envío</translation>
</message>
<message>
<source>a web page came back instead of data.</source>
<translation>llegó una página web en lugar de datos.</translation>
</message>
<message>
<source>a web page, such as a login page, answered instead of the service, and nothing was changed</source>
<translation>en lugar del servicio respondió una página web, por ejemplo de inicio de sesión, y no se modificó nada</translation>
</message>
<message numerus="yes">
<source>about {n} days</source>
<translation>
<numerusform>aprox. {n} día</numerusform>
<numerusform>unos {n} días</numerusform>
</translation>
</message>
<message numerus="yes">
<source>about {n} days left</source>
<translation>
<numerusform>queda aprox. {n} día</numerusform>
<numerusform>quedan unos {n} días</numerusform>
</translation>
</message>
<message numerus="yes">
<source>about {n} h</source>
<translation>
<numerusform>aprox. {n} h</numerusform>
<numerusform>unas {n} h</numerusform>
</translation>
</message>
<message numerus="yes">
<source>about {n} min</source>
<translation>
<numerusform>aprox. {n} min</numerusform>
<numerusform>unos {n} min</numerusform>
</translation>
</message>
<message numerus="yes">
<source>about {n} requests</source>
<translation>
<numerusform>aprox. {n} solicitud</numerusform>
<numerusform>unas {n} solicitudes</numerusform>
</translation>
</message>
<message numerus="yes">
<source>about {n} s</source>
<translation>
<numerusform>unos {n} s</numerusform>
<numerusform>unos {n} s</numerusform>
</translation>
</message>
<message>
<source>add create animal</source>
<translation>añadir crear alta animal nuevo</translation>
</message>
<message>
<source>add create group</source>
<translation>añadir crear alta grupo</translation>
</message>
<message>
<source>add create sell sale place phone call customer</source>
<translation>añadir crear alta venta vender encargo teléfono llamada cliente</translation>
</message>
<message>
<source>after {time} (in {left})</source>
<translation>a partir de {time} (dentro de {left})</translation>
</message>
<message>
<source>again repeat</source>
<translation>otra vez repetir</translation>
</message>
<message>
<source>ahead of</source>
<translation>adelantado</translation>
</message>
<message>
<source>ambiguous option: {words} could match {names}</source>
<translation>opción ambigua: {words} puede ser {names}</translation>
</message>
<message>
<source>an authority</source>
<translation>una autoridad</translation>
</message>
<message>
<source>an empty list</source>
<translation>una lista vacía</translation>
</message>
<message>
<source>an empty object</source>
<translation>un objeto vacío</translation>
</message>
<message>
<source>an empty text</source>
<translation>un texto vacío</translation>
</message>
<message>
<source>an unknown time</source>
<translation>una hora desconocida</translation>
</message>
<message numerus="yes">
<source>and {n} more</source>
<translation>
<numerusform>y {n} más</numerusform>
<numerusform>y {n} más</numerusform>
</translation>
</message>
<message numerus="yes">
<source>and {n} more categories</source>
<translation>
<numerusform>y {n} categoría más</numerusform>
<numerusform>y {n} categorías más</numerusform>
</translation>
</message>
<message>
<source>another address</source>
<translation>otra dirección</translation>
</message>
<message>
<source>another connection is called {name}; choose another name</source>
<translation>otra conexión se llama {name}; elija otro nombre</translation>
</message>
<message>
<source>another name</source>
<translation>otro nombre</translation>
</message>
<message>
<source>another one</source>
<translation>otro</translation>
</message>
<message>
<source>answered</source>
<translation>respondida</translation>
</message>
<message>
<source>anything about categories</source>
<translation>todo lo relativo a las categorías</translation>
</message>
<message>
<source>anything about orders</source>
<translation>todo lo relativo a los pedidos</translation>
</message>
<message>
<source>anything about pets</source>
<translation>todo lo relativo a las mascotas</translation>
</message>
<message>
<source>anything about the stock</source>
<translation>todo lo relativo al stock</translation>
</message>
<message>
<source>api endpoints openapi document contract offers deprecated beta</source>
<translation>api endpoints openapi documento contrato ofrece en desuso beta</translation>
</message>
<message>
<source>api key password token secret credentials log in login</source>
<translation>api clave contraseña token secreto credenciales iniciar sesión</translation>
</message>
<message>
<source>argument {name}: {what}</source>
<translation>argumento {name}: {what}</translation>
</message>
<message>
<source>as in the address</source>
<translation>como en la dirección</translation>
</message>
<message>
<source>as of {time}</source>
<translation>datos de {time}</translation>
</message>
<message>
<source>as published</source>
<translation>el publicado</translation>
</message>
<message>
<source>as soon as the day has requests again</source>
<translation>en cuanto vuelva a haber solicitudes disponibles</translation>
</message>
<message>
<source>as the program names it</source>
<translation>como lo llama el programa</translation>
</message>
<message>
<source>as the service sets it</source>
<translation>el que ponga el servicio</translation>
</message>
<message>
<source>asked for #{asked}, the service answered with #{got}.</source>
<translation>se solicitó #{asked} y el servicio respondió con #{got}.</translation>
</message>
<message>
<source>attention  refused, in conflict or unconfirmed</source>
<translation>atención  rechazado, en conflicto o sin confirmar</translation>
</message>
<message>
<source>automatic</source>
<translation>automático</translation>
</message>
<message>
<source>available</source>
<translation>disponible</translation>
</message>
<message>
<source>background</source>
<translation>segundo plano</translation>
</message>
<message>
<source>bar code {code}</source>
<translation>código de barras {code}</translation>
</message>
<message>
<source>bar codes</source>
<comment>the name of a file</comment>
<translation>códigos de barras</translation>
</message>
<message>
<source>barcode bar code qr sticker tag print shelf</source>
<translation>código de barras qr pegatina adhesivo etiqueta imprimir estante</translation>
</message>
<message>
<source>begun {time}</source>
<translation>inicio: {time}</translation>
</message>
<message>
<source>behind</source>
<translation>atrasado</translation>
</message>
<message>
<source>being sent</source>
<translation>enviándose</translation>
</message>
<message>
<source>below-zero  the stock is below zero</source>
<translation>negativo  el stock está por debajo de cero</translation>
</message>
<message>
<source>beta</source>
<translation>beta</translation>
</message>
<message>
<source>booked</source>
<translation>registrado</translation>
</message>
<message>
<source>broken off</source>
<translation>interrumpida</translation>
</message>
<message>
<source>bug report log</source>
<translation>error informe registro log</translation>
</message>
<message>
<source>cancel orders</source>
<translation>cancelar pedidos</translation>
</message>
<message>
<source>cancelled</source>
<translation>cancelación</translation>
</message>
<message>
<source>categories</source>
<translation>categorías</translation>
</message>
<message>
<source>category {id}</source>
<translation>categoría, id {id}</translation>
</message>
<message>
<source>change categories</source>
<translation>modificar categorías</translation>
</message>
<message>
<source>change connection server window</source>
<translation>cambiar conexión servidor ventana</translation>
</message>
<message>
<source>change orders</source>
<translation>modificar pedidos</translation>
</message>
<message>
<source>change pets</source>
<translation>modificar mascotas</translation>
</message>
<message>
<source>change quantity amount count inventory book</source>
<translation>modificar cambiar cantidad unidades contar inventario existencias registrar</translation>
</message>
<message>
<source>change rename modify</source>
<translation>modificar cambiar renombrar</translation>
</message>
<message>
<source>change rename modify bulk</source>
<translation>modificar cambiar renombrar masivo</translation>
</message>
<message>
<source>change the stock</source>
<translation>modificar el stock</translation>
</message>
<message>
<source>changed</source>
<translation>modificado</translation>
</message>
<message>
<source>changed  today, by you or at the service</source>
<translation>modificado  hoy, por usted o en el servicio</translation>
</message>
<message>
<source>changed by somebody else</source>
<translation>modificado por otra persona</translation>
</message>
<message>
<source>changed elsewhere</source>
<translation>modificado en otro lugar</translation>
</message>
<message>
<source>changes</source>
<translation>cambios</translation>
</message>
<message>
<source>changes to</source>
<translation>pasa a</translation>
</message>
<message>
<source>changes to {value}</source>
<translation>cambia a {value}</translation>
</message>
<message>
<source>changes wait for the next day</source>
<translation>los cambios esperan al día siguiente</translation>
</message>
<message>
<source>changes {day}</source>
<comment>the name of a file</comment>
<translation>cambios {day}</translation>
</message>
<message>
<source>changes {first} to {last}</source>
<comment>the name of a file</comment>
<translation>cambios {first} a {last}</translation>
</message>
<message>
<source>chosen by you</source>
<translation>elección propia</translation>
</message>
<message>
<source>clipboard</source>
<translation>portapapeles</translation>
</message>
<message>
<source>clipboard answer order read out phone call customer</source>
<translation>portapapeles respuesta pedido leer teléfono llamada cliente</translation>
</message>
<message>
<source>clipboard insert excel</source>
<translation>portapapeles insertar excel</translation>
</message>
<message>
<source>clipboard number</source>
<translation>portapapeles número</translation>
</message>
<message>
<source>clipboard titles columns excel</source>
<translation>portapapeles títulos columnas excel</translation>
</message>
<message>
<source>complete</source>
<translation>completado</translation>
</message>
<message>
<source>conflicts errors failed problems attention review</source>
<translation>conflictos errores fallos problemas atención revisar</translation>
</message>
<message>
<source>continue go on pause ban limit</source>
<translation>continuar seguir pausa suspensión límite</translation>
</message>
<message>
<source>copied {time}</source>
<translation>copiado: {time}</translation>
</message>
<message>
<source>count of {what}</source>
<translation>recuento de {what}</translation>
</message>
<message>
<source>counted at {time}</source>
<translation>contado a las {time}</translation>
</message>
<message>
<source>counting</source>
<translation>contando</translation>
</message>
<message>
<source>counting…</source>
<translation>contando…</translation>
</message>
<message>
<source>counts as done; nothing is sent</source>
<translation>cuenta como hecho; no se envía nada</translation>
</message>
<message>
<source>created</source>
<translation>alta</translation>
</message>
<message>
<source>csv excel xlsx spreadsheet table file load read upload open</source>
<translation>csv excel xlsx hoja de cálculo tabla archivo fichero cargar leer subir abrir</translation>
</message>
<message>
<source>csv excel xlsx spreadsheet table file save download</source>
<translation>csv excel xlsx hoja de cálculo tabla archivo fichero guardar descargar</translation>
</message>
<message>
<source>d day days|w week weeks</source>
<comment>words after +3; those for days and for weeks</comment>
<translation>d día días|s semana semanas</translation>
</message>
<message>
<source>day after tomorrow</source>
<translation>pasado mañana</translation>
</message>
<message>
<source>day used up for {left}</source>
<translation>límite diario alcanzado ({left})</translation>
</message>
<message numerus="yes">
<source>decision about {n} changes</source>
<translation>
<numerusform>decisión sobre {n} cambio</numerusform>
<numerusform>decisión sobre {n} cambios</numerusform>
</translation>
</message>
<message>
<source>delete</source>
<translation>eliminar</translation>
</message>
<message>
<source>delete categories</source>
<translation>eliminar categorías</translation>
</message>
<message>
<source>delete pets</source>
<translation>eliminar mascotas</translation>
</message>
<message>
<source>delete remove</source>
<translation>anular eliminar borrar quitar</translation>
</message>
<message>
<source>delete {record}</source>
<translation>eliminar {record}</translation>
</message>
<message>
<source>deleted</source>
<translation>eliminación</translation>
</message>
<message>
<source>deletion of the view {name}</source>
<translation>eliminar la vista {name}</translation>
</message>
<message>
<source>demo shop</source>
<translation>tienda demo</translation>
</message>
<message>
<source>deprecated</source>
<translation>en desuso</translation>
</message>
<message>
<source>deprecated, until {day}</source>
<translation>en desuso, hasta el {day}</translation>
</message>
<message>
<source>different values</source>
<translation>valores distintos</translation>
</message>
<message>
<source>discarded</source>
<translation>descartado</translation>
</message>
<message>
<source>done {moment}</source>
<translation>fin: {moment}</translation>
</message>
<message>
<source>each pet in {category}</source>
<translation>cada mascota de {category}</translation>
</message>
<message numerus="yes">
<source>each pet in {n} categories</source>
<translation>
<numerusform>cada mascota de {n} categoría</numerusform>
<numerusform>cada mascota de {n} categorías</numerusform>
</translation>
</message>
<message>
<source>elsewhere</source>
<comment>changed by another program</comment>
<translation>en otro lugar</translation>
</message>
<message>
<source>empty</source>
<translation>vacío</translation>
</message>
<message>
<source>every answer takes {seconds} s</source>
<translation>cada respuesta tarda {seconds} s</translation>
</message>
<message>
<source>every {every} s a pause of {lasts} s, first at {first}</source>
<translation>cada {every} s, una pausa de {lasts} s; la primera, en el minuto {first}</translation>
</message>
<message>
<source>exclude hide not filter</source>
<translation>quitar ocultar sin filtro</translation>
</message>
<message>
<source>exit close end leave</source>
<translation>cerrar terminar fin salir</translation>
</message>
<message>
<source>expected at least one argument</source>
<translation>se necesita al menos un valor</translation>
</message>
<message>
<source>expected one argument</source>
<translation>falta un valor</translation>
</message>
<message>
<source>experimental</source>
<translation>experimental</translation>
</message>
<message>
<source>failed there</source>
<translation>fallo del servicio</translation>
</message>
<message>
<source>file json share load</source>
<translation>archivo fichero json compartir cargar</translation>
</message>
<message>
<source>file json share save</source>
<translation>archivo fichero json compartir guardar</translation>
</message>
<message>
<source>filter bookmark favourite new add</source>
<translation>filtro marcador favorito nuevo añadir</translation>
</message>
<message>
<source>find search fetch number</source>
<translation>buscar encontrar traer número</translation>
</message>
<message>
<source>for example {example}</source>
<translation>por ejemplo, {example}</translation>
</message>
<message>
<source>forgetting of {code}</source>
<translation>olvidar {code}</translation>
</message>
<message>
<source>found</source>
<translation>encontrado</translation>
</message>
<message>
<source>goes on after {time} ({why})</source>
<translation>continúa a partir de {time} ({why})</translation>
</message>
<message>
<source>goes out with the next `petstore-desktop sync`, import or booking, or while the window is open</source>
<translation>saldrá con el próximo `petstore-desktop sync`, importación o movimiento de stock, o mientras la ventana esté abierta</translation>
</message>
<message>
<source>goods delivery supplier scan scanner book in stock arrived</source>
<translation>mercancía entrega proveedor escanear lector entrada stock llegado albarán</translation>
</message>
<message>
<source>help handbook guide how to</source>
<translation>ayuda manual guía cómo</translation>
</message>
<message>
<source>here</source>
<comment>changed with this program</comment>
<translation>aquí</translation>
</message>
<message>
<source>here and elsewhere</source>
<comment>changed with this program and by another one</comment>
<translation>aquí y en otro lugar</translation>
</message>
<message>
<source>hidden</source>
<translation>oculto</translation>
</message>
<message>
<source>hidden until the next scan</source>
<translation>oculto hasta la próxima lectura</translation>
</message>
<message>
<source>hide show visible fields</source>
<translation>ocultar mostrar visibles campos</translation>
</message>
<message>
<source>history journal log audit sent undo</source>
<translation>historial diario registro log auditoría enviados deshacer</translation>
</message>
<message>
<source>history past difference differences between yesterday week since what changed</source>
<translation>historial pasado diferencia diferencias entre ayer semana desde qué cambió</translation>
</message>
<message>
<source>how the service of {name} speaks is not known yet; `petstore-desktop doctor` or `sync` asks it first</source>
<translation>aún no se sabe cómo habla el servicio de {name}; `petstore-desktop doctor` o `sync` le pregunta primero</translation>
</message>
<message>
<source>id</source>
<translation>id</translation>
</message>
<message>
<source>import of bar codes</source>
<translation>importar códigos de barras</translation>
</message>
<message>
<source>import of views</source>
<translation>importar vistas</translation>
</message>
<message>
<source>in conflict</source>
<translation>en conflicto</translation>
</message>
<message>
<source>in conflict with the service</source>
<translation>en conflicto con el servicio</translation>
</message>
<message>
<source>in stock</source>
<translation>en stock</translation>
</message>
<message>
<source>in stock {count}</source>
<translation>{count} en stock</translation>
</message>
<message>
<source>in this window</source>
<translation>en esta ventana</translation>
</message>
<message numerus="yes">
<source>in {n} days</source>
<translation>
<numerusform>dentro de {n} día</numerusform>
<numerusform>dentro de {n} días</numerusform>
</translation>
</message>
<message>
<source>incomplete</source>
<translation>incompleto</translation>
</message>
<message>
<source>incomplete  without a pet, a quantity or a ship date</source>
<translation>incompleto  sin mascota, cantidad o fecha de envío</translation>
</message>
<message>
<source>interrupted</source>
<translation>interrumpido</translation>
</message>
<message>
<source>interrupted; the running program goes on with it</source>
<translation>interrumpido; el programa en ejecución sigue con ello</translation>
</message>
<message>
<source>invalid choice: {value} (choose from {names})</source>
<translation>{value} no es válido (elija entre {names})</translation>
</message>
<message>
<source>is discarded; nothing is sent</source>
<translation>se descarta; no se envía nada</translation>
</message>
<message>
<source>it answers with a list, not with one record</source>
<translation>responde con una lista, no con un solo registro</translation>
</message>
<message>
<source>it answers with a list, so it creates nothing</source>
<translation>responde con una lista, así que no crea nada</translation>
</message>
<message>
<source>it answers with one record, not with a list</source>
<translation>responde con un solo registro, no con una lista</translation>
</message>
<message>
<source>it does not lie at the same path as {what}</source>
<translation>no está en la misma ruta que {what}</translation>
</message>
<message>
<source>it does not take a record</source>
<translation>no acepta un registro</translation>
</message>
<message>
<source>it filters or sorts by a column that does not exist here: {what}</source>
<translation>filtra u ordena por una columna que no existe aquí: {what}</translation>
</message>
<message>
<source>it has no name</source>
<translation>no tiene nombre</translation>
</message>
<message>
<source>it is not a view</source>
<translation>no es una vista</translation>
</message>
<message>
<source>it is not certain that “{what}” in its path is the record’s own id</source>
<translation>no es seguro que «{what}» en su ruta sea el id propio del registro</translation>
</message>
<message>
<source>it is not certain which record the service would change by this id. A profile says what its ids mean</source>
<translation>no es seguro qué registro cambiaría el servicio con este id. Un perfil dice qué significan los id.</translation>
</message>
<message>
<source>it is only at another server, {what}</source>
<translation>solo está en otro servidor, {what}</translation>
</message>
<message>
<source>it requires a value for the header “{what}”</source>
<translation>exige un valor para el encabezado «{what}»</translation>
</message>
<message>
<source>it requires a value for “{what}”</source>
<translation>exige un valor para «{what}»</translation>
</message>
<message>
<source>it takes none of the fields that the program knows</source>
<translation>no acepta ninguno de los campos que conoce el programa</translation>
</message>
<message>
<source>it takes {what}, and the program sends JSON</source>
<translation>acepta {what}, y el programa envía JSON</translation>
</message>
<message>
<source>it was cancelled before the answer came.</source>
<translation>se canceló antes de llegar la respuesta.</translation>
</message>
<message>
<source>it was done, and need not be done again; only this answer could not be written to standard output ({why})</source>
<translation>está hecho y no hay que repetirlo; solo esta respuesta no se pudo escribir en la salida estándar ({why})</translation>
</message>
<message>
<source>it was not sent from here</source>
<translation>no se envió desde aquí</translation>
</message>
<message>
<source>it was refused or never sent: it cannot count as done</source>
<translation>se rechazó o nunca se envió: no puede contar como hecho</translation>
</message>
<message>
<source>it would erase the values of {fields}: the service does not show them, or takes them nowhere</source>
<translation>borraría los valores de {fields}: el servicio no los muestra o no los acepta en ningún sitio</translation>
</message>
<message>
<source>its answer does not look like {things}</source>
<translation>su respuesta no parece contener {things}</translation>
</message>
<message>
<source>its answer looks like {things}</source>
<translation>su respuesta parece contener {things}</translation>
</message>
<message>
<source>its fields look like {things}, its path does not</source>
<translation>sus campos parecen de {things}, pero su ruta no</translation>
</message>
<message>
<source>its filter or sort cannot be read</source>
<translation>no se puede leer su filtro u orden</translation>
</message>
<message>
<source>its list does not exist here: {what}</source>
<translation>su lista no existe aquí: {what}</translation>
</message>
<message>
<source>its name is too long</source>
<translation>su nombre es demasiado largo</translation>
</message>
<message>
<source>key banned</source>
<translation>clave suspendida</translation>
</message>
<message>
<source>key banned for {left}</source>
<translation>clave suspendida durante {left}</translation>
</message>
<message>
<source>key not accepted</source>
<translation>clave no aceptada</translation>
</message>
<message>
<source>koi red  both words      koi|red  one of them</source>
<translation>koi rojo  las dos palabras      koi|rojo  una de ellas</translation>
</message>
<message>
<source>late</source>
<translation>atrasado</translation>
</message>
<message>
<source>leaves {left} of {limit} today</source>
<translation>quedan {left} de {limit} hoy</translation>
</message>
<message>
<source>leaves ≈ {left} of {limit} today</source>
<translation>quedan ≈ {left} de {limit} hoy</translation>
</message>
<message>
<source>left out</source>
<translation>omitido</translation>
</message>
<message>
<source>limit unknown</source>
<translation>límite desconocido</translation>
</message>
<message>
<source>line of {what} in the delivery</source>
<translation>línea de {what} en la recepción</translation>
</message>
<message>
<source>list</source>
<comment>a file of no better name</comment>
<translation>lista</translation>
</message>
<message>
<source>live, {time}</source>
<translation>en línea, {time}</translation>
</message>
<message>
<source>log network http calls api</source>
<translation>log red http llamadas api peticiones</translation>
</message>
<message>
<source>logs errors debug file</source>
<translation>registros errores depurar archivo</translation>
</message>
<message>
<source>look up a category</source>
<translation>consultar una categoría</translation>
</message>
<message>
<source>look up a pet</source>
<translation>consultar una mascota</translation>
</message>
<message>
<source>look up a stock entry</source>
<translation>consultar una ficha de stock</translation>
</message>
<message>
<source>look up an order</source>
<translation>consultar un pedido</translation>
</message>
<message>
<source>low</source>
<translation>bajo</translation>
</message>
<message>
<source>low  at or below the minimum</source>
<translation>bajo  en el mínimo o por debajo</translation>
</message>
<message>
<source>low threshold limit reorder warning</source>
<translation>bajo umbral límite reponer aviso alerta existencias</translation>
</message>
<message>
<source>minute used up for {left}</source>
<translation>límite por minuto alcanzado ({left})</translation>
</message>
<message>
<source>more-than-stock  the open orders of its pet are for more than is in stock</source>
<translation>más-que-stock  los pedidos abiertos de su mascota superan el stock</translation>
</message>
<message>
<source>name and category, as there is no column with ids</source>
<translation>nombre y categoría, al no haber columna con ids</translation>
</message>
<message>
<source>name, as there is no column with ids</source>
<translation>nombre, al no haber columna con ids</translation>
</message>
<message>
<source>needs a key</source>
<translation>falta la clave</translation>
</message>
<message>
<source>neither its records nor the rest of the document are about pets</source>
<translation>ni sus registros ni el resto del documento tratan de mascotas</translation>
</message>
<message>
<source>never read</source>
<translation>sin leer</translation>
</message>
<message>
<source>new</source>
<translation>nuevo</translation>
</message>
<message>
<source>new</source>
<comment>a record created here</comment>
<translation>nuevo</translation>
</message>
<message>
<source>new</source>
<comment>in place of an id that the service has not given yet</comment>
<translation>nuevo</translation>
</message>
<message>
<source>new categories</source>
<translation>añadir categorías</translation>
</message>
<message>
<source>new count</source>
<translation>nuevo recuento</translation>
</message>
<message>
<source>new orders</source>
<translation>añadir pedidos</translation>
</message>
<message>
<source>new pets</source>
<translation>añadir mascotas</translation>
</message>
<message>
<source>new {record}</source>
<translation>crear {record}</translation>
</message>
<message>
<source>next refresh at {time}</source>
<translation>próxima actualización: {time}</translation>
</message>
<message>
<source>next refresh at {time} ({why})</source>
<translation>próxima actualización: {time} ({why})</translation>
</message>
<message>
<source>no</source>
<translation>no</translation>
</message>
<message>
<source>no answer: {why}</source>
<translation>sin respuesta: {why}</translation>
</message>
<message>
<source>no column of the file can be told to be a field of {wanted}; nothing was saved. Name the columns in its first row, as `export` does</source>
<translation>ninguna columna del archivo se reconoce como campo de {wanted}; no se ha guardado nada. Nombre las columnas en la primera fila, como hace `export`</translation>
</message>
<message>
<source>no key came on stdin; nothing was changed</source>
<translation>no ha llegado ninguna clave por stdin; no se ha cambiado nada</translation>
</message>
<message>
<source>no key was typed; nothing was changed</source>
<translation>no se ha escrito ninguna clave; no se ha cambiado nada</translation>
</message>
<message>
<source>no network from {goes} to {back}</source>
<translation>sin red del minuto {goes} al {back}</translation>
</message>
<message>
<source>no operation does it now; choose one in “Operations of this service”</source>
<translation>ninguna operación lo hace ahora; elija una en «Operaciones de este servicio»</translation>
</message>
<message>
<source>no pet</source>
<translation>sin mascota</translation>
</message>
<message>
<source>no reason given</source>
<translation>sin motivo indicado</translation>
</message>
<message>
<source>no record shows how this service names the category or the pet: by id, by name or otherwise</source>
<translation>ningún registro muestra cómo indica este servicio la categoría o la mascota: por id, por nombre o de otro modo</translation>
</message>
<message>
<source>no request</source>
<translation>ninguna solicitud</translation>
</message>
<message>
<source>no requests are left</source>
<translation>no quedan solicitudes</translation>
</message>
<message>
<source>no stock entry</source>
<translation>sin ficha de stock</translation>
</message>
<message>
<source>no such category</source>
<translation>categoría inexistente</translation>
</message>
<message>
<source>no such pet</source>
<translation>mascota inexistente</translation>
</message>
<message>
<source>no-such-pet  its pet does not exist</source>
<translation>mascota-inexistente  su mascota no existe</translation>
</message>
<message>
<source>none</source>
<translation>ninguno</translation>
</message>
<message>
<source>none</source>
<comment>no ship date</comment>
<translation>ninguna</translation>
</message>
<message>
<source>none left, next try in {left}</source>
<translation>no quedan, próximo intento dentro de {left}</translation>
</message>
<message>
<source>none today</source>
<translation>ninguna hoy</translation>
</message>
<message>
<source>not allowed</source>
<translation>no permitida</translation>
</message>
<message>
<source>not allowed with argument {name}</source>
<translation>incompatible con {name}</translation>
</message>
<message>
<source>not available</source>
<translation>no disponible</translation>
</message>
<message>
<source>not booked</source>
<translation>no registrado</translation>
</message>
<message>
<source>not booked yet</source>
<translation>aún sin registrar</translation>
</message>
<message>
<source>not checked yet</source>
<translation>aún sin comprobar</translation>
</message>
<message>
<source>not found</source>
<translation>no encontrado</translation>
</message>
<message>
<source>not known</source>
<translation>desconocido</translation>
</message>
<message>
<source>not now</source>
<translation>ahora no</translation>
</message>
<message>
<source>not offered</source>
<translation>no ofrecida</translation>
</message>
<message>
<source>not reached</source>
<translation>no alcanzado</translation>
</message>
<message>
<source>not read to its end</source>
<translation>no se ha leído hasta el final</translation>
</message>
<message>
<source>not readable</source>
<translation>ilegible</translation>
</message>
<message>
<source>not said</source>
<translation>no indicado</translation>
</message>
<message>
<source>not saved</source>
<translation>no guardado</translation>
</message>
<message>
<source>not secure</source>
<translation>conexión no segura</translation>
</message>
<message>
<source>not sent: this connection is read-only</source>
<translation>no se envía: esta conexión es de solo lectura</translation>
</message>
<message>
<source>not there</source>
<translation>no existe</translation>
</message>
<message>
<source>not yet</source>
<translation>aún no</translation>
</message>
<message>
<source>note</source>
<translation>nota</translation>
</message>
<message>
<source>nothing</source>
<translation>nada</translation>
</message>
<message>
<source>nothing else in the document is about pets, their orders or their stock</source>
<translation>nada más en el documento trata de mascotas, de sus pedidos o de su stock</translation>
</message>
<message>
<source>nothing here reaches your shop. {said}</source>
<translation>nada de esto llega a su tienda. {said}</translation>
</message>
<message>
<source>nothing is kept here of the {resource} of {name} yet; `petstore-desktop sync {typed}` reads them</source>
<translation>aquí aún no hay nada guardado de {name} ({resource}); se lee con `petstore-desktop sync {typed}`</translation>
</message>
<message>
<source>nothing is known to be stored</source>
<translation>que se sepa, no se ha almacenado nada</translation>
</message>
<message>
<source>nothing needs a decision</source>
<translation>nada requiere una decisión</translation>
</message>
<message>
<source>nothing read yet</source>
<translation>aún no se ha leído nada</translation>
</message>
<message>
<source>nothing to send</source>
<translation>nada que enviar</translation>
</message>
<message>
<source>nothing was changed</source>
<translation>no se ha cambiado nada</translation>
</message>
<message>
<source>nothing was changed in {file}</source>
<translation>no se ha cambiado nada en {file}</translation>
</message>
<message>
<source>nothing was saved</source>
<translation>no se ha guardado nada</translation>
</message>
<message>
<source>nothing was sent</source>
<translation>no se había enviado nada</translation>
</message>
<message>
<source>nothing was sent, not even the key</source>
<translation>no se ha enviado nada, ni siquiera la clave</translation>
</message>
<message>
<source>now</source>
<comment>this moment</comment>
<translation>ahora</translation>
</message>
<message>
<source>o: orders   p: pets   c: categories   s: stock</source>
<translation>o: pedidos   p: mascotas   c: categorías   s: stock</translation>
</message>
<message>
<source>of an unexpected error in the program ({name})</source>
<translation>por un error inesperado del programa ({name})</translation>
</message>
<message numerus="yes">
<source>of {n} changes</source>
<translation>
<numerusform>de {n} cambio</numerusform>
<numerusform>de {n} cambios</numerusform>
</translation>
</message>
<message>
<source>offered</source>
<translation>ofrecida</translation>
</message>
<message>
<source>offered, not by your choice</source>
<translation>ofrecida, pero no la elegida</translation>
</message>
<message>
<source>offline since {time}</source>
<translation>sin conexión desde {time}</translation>
</message>
<message>
<source>oldest {days}</source>
<translation>más antiguo: {days}</translation>
</message>
<message>
<source>on a later day</source>
<translation>en un día posterior</translation>
</message>
<message>
<source>on an earlier day</source>
<translation>en un día anterior</translation>
</message>
<message>
<source>one of the arguments {names} is required</source>
<translation>se necesita uno de estos argumentos: {names}</translation>
</message>
<message>
<source>one without a title</source>
<translation>uno sin título</translation>
</message>
<message>
<source>only a part of the {resource} of {name} is kept here ({count}); nothing was saved. `petstore-desktop sync {typed}` reads the rest</source>
<translation>aquí solo hay una parte de {name} ({resource}, {count}); no se ha guardado nada. El resto se lee con `petstore-desktop sync {typed}`</translation>
</message>
<message>
<source>only on this computer</source>
<translation>solo en este equipo</translation>
</message>
<message>
<source>open</source>
<translation>abierto</translation>
</message>
<message numerus="yes">
<source>open orders for more than is in stock</source>
<translation>
<numerusform>pedido abierto supera el stock</numerusform>
<numerusform>pedidos abiertos superan el stock</numerusform>
</translation>
</message>
<message>
<source>or</source>
<translation>o</translation>
</message>
<message>
<source>or {other}</source>
<translation>o {other}</translation>
</message>
<message>
<source>order</source>
<translation>pedido</translation>
</message>
<message>
<source>order {id}</source>
<translation>pedido {id}</translation>
</message>
<message>
<source>orders</source>
<translation>pedidos</translation>
</message>
<message numerus="yes">
<source>orders are for pets that do not exist</source>
<translation>
<numerusform>pedido es de una mascota que no existe</numerusform>
<numerusform>pedidos son de mascotas que no existen</numerusform>
</translation>
</message>
<message numerus="yes">
<source>orders without a pet, quantity or date</source>
<translation>
<numerusform>pedido sin mascota, cantidad o fecha</numerusform>
<numerusform>pedidos sin mascota, cantidad o fecha</numerusform>
</translation>
</message>
<message>
<source>other answers at its path do not look like {things}</source>
<translation>otras respuestas en su ruta no parecen contener {things}</translation>
</message>
<message>
<source>other answers at its path look like {things}</source>
<translation>otras respuestas en su ruta parecen contener {things}</translation>
</message>
<message>
<source>outbox queue unsent pending not sent</source>
<translation>cola sin enviar pendiente no enviado salida</translation>
</message>
<message>
<source>overdue  the ship date is past, and the order is open</source>
<translation>atrasado  la fecha de envío ha pasado y el pedido está abierto</translation>
</message>
<message>
<source>page {page} of {pages}</source>
<translation>página {page} de {pages}</translation>
</message>
<message>
<source>pasted lines in the delivery</source>
<translation>líneas pegadas en la recepción</translation>
</message>
<message>
<source>paused</source>
<translation>en pausa</translation>
</message>
<message>
<source>paused {left}</source>
<translation>en pausa {left}</translation>
</message>
<message>
<source>pdf paper printer page</source>
<translation>pdf papel impresora página</translation>
</message>
<message>
<source>pending</source>
<translation>pendiente</translation>
</message>
<message>
<source>pending|sold  one of them      !sold  not this one</source>
<translation>pendiente|vendida  una de ellas      !vendida  esta no</translation>
</message>
<message>
<source>person</source>
<translation>persona</translation>
</message>
<message>
<source>pet {id}</source>
<translation>mascota, id {id}</translation>
</message>
<message>
<source>pets</source>
<translation>mascotas</translation>
</message>
<message numerus="yes">
<source>pets with the name of another one of their category</source>
<translation>
<numerusform>mascota con el nombre de otra de su categoría</numerusform>
<numerusform>mascotas con el nombre de otra de su categoría</numerusform>
</translation>
</message>
<message numerus="yes">
<source>pets without a category</source>
<translation>
<numerusform>mascota sin categoría</numerusform>
<numerusform>mascotas sin categoría</numerusform>
</translation>
</message>
<message>
<source>pin lock fix frozen panes left</source>
<translation>fijar bloquear inmovilizar paneles izquierda</translation>
</message>
<message>
<source>plain http to {host} would show the key to others; use https (http is only for this computer)</source>
<translation>http sin cifrar a {host} mostraría la clave a otros; use https (http es solo para este equipo)</translation>
</message>
<message>
<source>plan not known</source>
<translation>plan desconocido</translation>
</message>
<message>
<source>plan {plan}</source>
<translation>plan {plan}</translation>
</message>
<message>
<source>problem</source>
<translation>problema</translation>
</message>
<message>
<source>profile</source>
<comment>the name of a file</comment>
<translation>perfil</translation>
</message>
<message>
<source>quota limit limits rate calls budget minute day</source>
<translation>cuota límite límites tasa llamadas peticiones minuto día</translation>
</message>
<message>
<source>read from pets</source>
<translation>leída de las mascotas</translation>
</message>
<message>
<source>read-only</source>
<translation>solo lectura</translation>
</message>
<message>
<source>reading was stopped</source>
<translation>la lectura se ha detenido</translation>
</message>
<message>
<source>record {id} was made with other values than were sent: {values}.</source>
<translation>el registro {id} se creó con valores distintos de los enviados: {values}.</translation>
</message>
<message>
<source>records of this kind have no field “{field}”. Discard it, and enter it again</source>
<translation>los registros de este tipo no tienen el campo «{field}». Descártelo e introdúzcalo de nuevo</translation>
</message>
<message>
<source>records that were deleted here are shown again: {met}. The service kept them, or somebody made them again.</source>
<translation>vuelven a aparecer registros que se eliminaron aquí: {met}. El servicio los conservó o alguien los creó de nuevo.</translation>
</message>
<message>
<source>refresh on screen</source>
<translation>actualización en pantalla</translation>
</message>
<message>
<source>refused</source>
<translation>rechazado</translation>
</message>
<message>
<source>refused by the service</source>
<translation>rechazado por el servicio</translation>
</message>
<message>
<source>rehearsed</source>
<translation>de ensayo</translation>
</message>
<message>
<source>reload update sync synchronise fetch load</source>
<translation>refrescar recargar sincronizar cargar leer</translation>
</message>
<message>
<source>remove</source>
<translation>borrar quitar baja</translation>
</message>
<message>
<source>remove reset show all</source>
<translation>borrar limpiar restablecer mostrar todo</translation>
</message>
<message>
<source>removed</source>
<translation>retirada</translation>
</message>
<message>
<source>renamed to {name}</source>
<translation>cambio de nombre a {name}</translation>
</message>
<message>
<source>renaming of the view {name}</source>
<translation>cambiar el nombre de la vista {name}</translation>
</message>
<message>
<source>repeat same value below</source>
<translation>repetir mismo valor debajo</translation>
</message>
<message>
<source>repeat same value selection bulk</source>
<translation>repetir mismo valor selección masivo</translation>
</message>
<message>
<source>restore reset default</source>
<translation>recuperar restablecer predeterminado</translation>
</message>
<message>
<source>row {row}: {why}</source>
<translation>fila {row}: {why}</translation>
</message>
<message>
<source>same</source>
<translation>igual</translation>
</message>
<message>
<source>same-name  another pet of its category has the same name</source>
<translation>mismo-nombre  otra mascota de su categoría se llama igual</translation>
</message>
<message>
<source>saved filter list</source>
<translation>filtro guardado lista</translation>
</message>
<message>
<source>saved on this computer, not sent</source>
<translation>guardado en este equipo, sin enviar</translation>
</message>
<message>
<source>search find</source>
<translation>buscar encontrar</translation>
</message>
<message>
<source>see `petstore-desktop decide {name}`, or the window, Activity &gt; Needs attention</source>
<translation>véase `petstore-desktop decide {name}` o, en la ventana, Actividad &gt; Requiere atención</translation>
</message>
<message>
<source>see all categories</source>
<translation>ver todas las categorías</translation>
</message>
<message>
<source>see all orders</source>
<translation>ver todos los pedidos</translation>
</message>
<message>
<source>see all pets</source>
<translation>ver todas las mascotas</translation>
</message>
<message>
<source>see the stock</source>
<translation>ver el stock</translation>
</message>
<message>
<source>select whole columns</source>
<translation>marcar columnas completas</translation>
</message>
<message>
<source>select whole rows</source>
<translation>marcar filas completas</translation>
</message>
<message>
<source>sent</source>
<translation>enviado</translation>
</message>
<message>
<source>sent elsewhere</source>
<translation>redirigida</translation>
</message>
<message>
<source>sent, but no answer came</source>
<translation>enviado, pero sin respuesta</translation>
</message>
<message>
<source>sent, then undone</source>
<translation>enviado y después deshecho</translation>
</message>
<message>
<source>server address url api key log in login add account</source>
<translation>servidor dirección url api clave iniciar sesión añadir cuenta</translation>
</message>
<message>
<source>server address url api key password token certificate tls openapi colour name read-only forget options setup</source>
<translation>servidor dirección url api clave contraseña token certificado tls openapi color nombre solo lectura olvidar opciones configuración</translation>
</message>
<message>
<source>service busy for {left}</source>
<translation>servicio ocupado durante {left}</translation>
</message>
<message>
<source>set aside hold pending order phone call customer</source>
<translation>apartar reserva retener pendiente pedido teléfono llamada cliente</translation>
</message>
<message>
<source>settings options setup configuration theme dark light mode night colours appearance language text font size data folder database files backup</source>
<translation>ajustes opciones configuración tema oscuro claro modo noche colores aspecto idioma texto letra tamaño carpeta de datos base archivos copia de seguridad</translation>
</message>
<message>
<source>shortcuts keyboard manual documentation legend icons</source>
<translation>atajos teclado manual documentación leyenda iconos ayuda</translation>
</message>
<message>
<source>side pane panel sidebar</source>
<translation>panel lateral barra</translation>
</message>
<message>
<source>sold</source>
<translation>vendida</translation>
</message>
<message numerus="yes">
<source>sold pets still have stock</source>
<translation>
<numerusform>mascota vendida aún tiene stock</numerusform>
<numerusform>mascotas vendidas aún tienen stock</numerusform>
</translation>
</message>
<message>
<source>sold-with-stock  the pet is sold, and has stock</source>
<translation>vendida-con-stock  la mascota está vendida y tiene stock</translation>
</message>
<message>
<source>somebody else changes a record every {seconds} s</source>
<translation>otra persona modifica un registro cada {seconds} s</translation>
</message>
<message>
<source>starts at label {place}</source>
<translation>empieza en la etiqueta {place}</translation>
</message>
<message>
<source>status</source>
<translation>estado</translation>
</message>
<message>
<source>status fulfil deliver done</source>
<translation>estado servir entregar hecho terminado</translation>
</message>
<message>
<source>status {status}</source>
<translation>estado {status}</translation>
</message>
<message>
<source>stock</source>
<translation>stock</translation>
</message>
<message numerus="yes">
<source>stock entries below zero</source>
<translation>
<numerusform>ficha de stock en negativo</numerusform>
<numerusform>fichas de stock en negativo</numerusform>
</translation>
</message>
<message numerus="yes">
<source>stock entries without a pet</source>
<translation>
<numerusform>ficha de stock sin mascota</numerusform>
<numerusform>fichas de stock sin mascota</numerusform>
</translation>
</message>
<message>
<source>stock of pet {id}</source>
<translation>stock de la mascota con id {id}</translation>
</message>
<message numerus="yes">
<source>stock of {n} pets changed</source>
<translation>
<numerusform>stock de {n} mascota modificado</numerusform>
<numerusform>stock de {n} mascotas modificado</numerusform>
</translation>
</message>
<message numerus="yes">
<source>stock of {n} pets changed by {pieces}</source>
<translation>
<numerusform>stock de {n} mascota modificado en {pieces}</numerusform>
<numerusform>stock de {n} mascotas modificado en {pieces}</numerusform>
</translation>
</message>
<message>
<source>stock set to {n}</source>
<translation>stock fijado en {n}</translation>
</message>
<message>
<source>stock-without-pet  its pet does not exist</source>
<translation>stock-sin-mascota  su mascota no existe</translation>
</message>
<message>
<source>stopped</source>
<translation>envío detenido</translation>
</message>
<message>
<source>stopped by the proxy</source>
<translation>detenida por el proxy</translation>
</message>
<message>
<source>support bug report version system</source>
<translation>soporte error informe versión sistema</translation>
</message>
<message>
<source>take back revert</source>
<translation>volver atrás revertir anular</translation>
</message>
<message>
<source>test after a pause</source>
<translation>prueba tras una pausa</translation>
</message>
<message>
<source>test doctor diagnose network internet proxy server offline trouble</source>
<translation>prueba probar diagnóstico red internet proxy servidor sin conexión problemas</translation>
</message>
<message>
<source>testing once</source>
<translation>solicitud de prueba</translation>
</message>
<message>
<source>that is set on this computer</source>
<translation>configurado en este equipo</translation>
</message>
<message>
<source>the CA file {path} cannot be read ({why}); nothing was changed</source>
<translation>el archivo de CA {path} no se puede leer ({why}); no se ha cambiado nada</translation>
</message>
<message>
<source>the CA file {path} is larger than {megabytes} MB; nothing was changed. Give only the certificates of the authority that the service needs</source>
<translation>el archivo de CA {path} supera los {megabytes} MB; no se ha cambiado nada. Indique solo los certificados de la autoridad que necesita el servicio</translation>
</message>
<message>
<source>the OpenAPI document cannot be used ({code}, {why})</source>
<translation>el documento OpenAPI no se puede usar ({code}, {why})</translation>
</message>
<message>
<source>the address holds a user name or password; give the key with --key-stdin instead</source>
<translation>la dirección contiene un nombre de usuario o una contraseña; indique la clave con --key-stdin</translation>
</message>
<message>
<source>the answer holds no list of records.</source>
<translation>la respuesta no contiene ninguna lista de registros.</translation>
</message>
<message>
<source>the answer holds two lists, and does not say which one is meant.</source>
<translation>la respuesta contiene dos listas y no indica cuál es la correcta.</translation>
</message>
<message>
<source>the answer is larger than {mb} MB; reading was stopped there.</source>
<translation>la respuesta supera los {mb} MB; la lectura se detuvo ahí.</translation>
</message>
<message>
<source>the answer is nested deeper than anything that can be read.</source>
<translation>la respuesta tiene demasiados niveles anidados para poder leerla.</translation>
</message>
<message>
<source>the answer is not JSON, as data must be ({type}).</source>
<translation>la respuesta no es JSON, como deben ser los datos ({type}).</translation>
</message>
<message>
<source>the answer is not in UTF-8, the only encoding of JSON.</source>
<translation>la respuesta no está en UTF-8, la única codificación de JSON.</translation>
</message>
<message>
<source>the answer is not one of this service.</source>
<translation>la respuesta no es de este servicio.</translation>
</message>
<message>
<source>the answer is not valid HTTP: it broke off, or its head is too large.</source>
<translation>la respuesta no es HTTP válido: se cortó, o su cabecera es demasiado grande.</translation>
</message>
<message>
<source>the answer is packed in a way that cannot be unpacked ({encoding}).</source>
<translation>la respuesta está comprimida de una forma que no se puede descomprimir ({encoding}).</translation>
</message>
<message>
<source>the answer stops before its end.</source>
<translation>la respuesta se corta antes de su final.</translation>
</message>
<message>
<source>the answer was not complete in the time that a request has.</source>
<translation>la respuesta no llegó completa en el tiempo que tiene una solicitud.</translation>
</message>
<message>
<source>the categories</source>
<translation>las categorías</translation>
</message>
<message>
<source>the changes could not be saved; nothing was sent</source>
<translation>no se han podido guardar los cambios; no se ha enviado nada</translation>
</message>
<message>
<source>the characters of the file can be read in several ways; nothing was saved. Say how with --encoding, such as --encoding windows-1252, or save the file in UTF-8</source>
<translation>los caracteres del archivo se pueden leer de varias maneras; no se ha guardado nada. Indique la codificación con --encoding, por ejemplo --encoding windows-1252, o guarde el archivo en UTF-8</translation>
</message>
<message>
<source>the connection broke before the answer came.</source>
<translation>la conexión se cortó antes de llegar la respuesta.</translation>
</message>
<message>
<source>the dates can be read in two ways, 03/04 is 3 April or 4 March; nothing was saved. Say how with --dates dmy, mdy or ymd</source>
<translation>las fechas se pueden leer de dos formas (03/04 es el 3 de abril o el 4 de marzo); no se ha guardado nada. Indique cuál con --dates dmy, mdy o ymd</translation>
</message>
<message>
<source>the day is used up</source>
<translation>se ha alcanzado el límite diario</translation>
</message>
<message>
<source>the demo shop did not start: {why}</source>
<translation>la tienda demo no se ha iniciado: {why}</translation>
</message>
<message>
<source>the demo shop is in its window alone, and no connection; `petstore-desktop demo-shop` runs one for commands, and says the address and the key for `petstore-desktop connect`</source>
<translation>la tienda demo solo está en su ventana y no es una conexión; `petstore-desktop demo-shop` inicia una para los comandos e indica la dirección y la clave para `petstore-desktop connect`</translation>
</message>
<message>
<source>the document {path} cannot be read</source>
<translation>el documento {path} no se puede leer</translation>
</message>
<message>
<source>the file has wrong rows ({count}), and one that books in or out, or places orders, is imported whole or not at all; nothing was saved</source>
<translation>filas erróneas: {count}; un archivo de entradas y salidas, o de pedidos nuevos, se importa entero o no se importa, así que no se ha guardado nada</translation>
</message>
<message>
<source>the file holds {found}, not {wanted}; nothing was saved</source>
<translation>el archivo contiene {found}, no {wanted}; no se ha guardado nada</translation>
</message>
<message>
<source>the file of your changes is damaged: {path}; nothing was changed. `petstore-desktop sync`, or the window, sets it aside and lists what it still tells</source>
<translation>el archivo de sus cambios está dañado: {path}; no se ha cambiado nada. `petstore-desktop sync` o la ventana lo aparta y enumera lo que aún se puede leer en él</translation>
</message>
<message>
<source>the file of your changes was damaged and is kept as {file}; what was not sent yet ({count}) is listed in {list}, and is not sent by itself: make it again where it is missing</source>
<translation>el archivo de sus cambios estaba dañado y se conserva como {file}; lo que aún no se había enviado ({count}) figura en {list} y no se envía solo: hágalo de nuevo donde falte</translation>
</message>
<message>
<source>the file {file} cannot be read; nothing was saved</source>
<translation>no se puede leer el archivo {file}; no se ha guardado nada</translation>
</message>
<message>
<source>the following arguments are required: {names}</source>
<translation>faltan estos argumentos: {names}</translation>
</message>
<message>
<source>the key contains characters that cannot be sent; nothing was changed</source>
<translation>la clave contiene caracteres que no se pueden enviar; no se ha cambiado nada</translation>
</message>
<message>
<source>the key is banned</source>
<translation>la clave está suspendida</translation>
</message>
<message>
<source>the key is longer than 16,384 characters, which no service takes; nothing was changed</source>
<translation>la clave supera los 16 384 caracteres, lo que ningún servicio acepta; no se ha cambiado nada</translation>
</message>
<message>
<source>the key may not do this ({message})</source>
<translation>la clave no tiene permiso para esto ({message})</translation>
</message>
<message>
<source>the lines that are here</source>
<translation>las líneas que hay aquí</translation>
</message>
<message>
<source>the list does not end: the service announced {total} records, and sent {met}. Reading stopped; the rows that came stay.</source>
<translation>la lista no termina: el servicio anunció {total} registros y envió {met}. La lectura se ha detenido; las filas que llegaron se conservan.</translation>
</message>
<message>
<source>the list does not end: {met} records came. Reading stopped; these rows stay.</source>
<translation>la lista no termina: llegaron {met} registros. La lectura se ha detenido; estas filas se conservan.</translation>
</message>
<message>
<source>the list may be {what} as well. Choose the list first: File &gt; Operations, or `connect --profile`</source>
<translation>la lista también puede ser {what}. Elija primero la lista: Archivo &gt; Operaciones, o `connect --profile`</translation>
</message>
<message>
<source>the minute is used up</source>
<translation>se ha alcanzado el límite por minuto</translation>
</message>
<message>
<source>the name of one of its fields is a guess. Choose the name under File &gt; Operations &gt; Fields</source>
<translation>el nombre de uno de sus campos se ha deducido. Elija el nombre en Archivo &gt; Operaciones &gt; Campos</translation>
</message>
<message>
<source>the next refresh waits</source>
<translation>la próxima actualización espera</translation>
</message>
<message>
<source>the next refresh waits ({why})</source>
<translation>la próxima actualización espera ({why})</translation>
</message>
<message>
<source>the numbers can be read in two ways, 1.200 is twelve hundred or 1 and a fraction; nothing was saved. Say how with --numbers point or comma</source>
<translation>los números se pueden leer de dos formas (1.200 es mil doscientos o uno con decimales); no se ha guardado nada. Indique cuál con --numbers point o comma</translation>
</message>
<message>
<source>the old value is not known</source>
<translation>no se conoce el valor anterior</translation>
</message>
<message>
<source>the orders</source>
<translation>los pedidos</translation>
</message>
<message>
<source>the pets</source>
<translation>las mascotas</translation>
</message>
<message>
<source>the pet’s id</source>
<translation>el id de la mascota</translation>
</message>
<message>
<source>the pet’s name, as there is no column with ids</source>
<translation>el nombre de la mascota, al no haber columna con ids</translation>
</message>
<message>
<source>the plan {plan} has its own limits; --per-minute and --per-day go with --plan enterprise, or with a connection whose plan is not known</source>
<translation>el plan {plan} tiene sus propios límites; --per-minute y --per-day van con --plan enterprise, o con una conexión cuyo plan no se conoce</translation>
</message>
<message>
<source>the program is already running on {path}; use its window, or close it first</source>
<translation>el programa ya se está ejecutando con {path}; use su ventana o ciérrelo antes</translation>
</message>
<message>
<source>the program that runs on this data folder has not opened {name}; open it there (Shop &gt; Switch to another shop), or close the program. Nothing was saved</source>
<translation>el programa que usa esta carpeta de datos no ha abierto {name}; ábralo allí (Tienda &gt; Cambiar a otra tienda) o cierre el programa. No se ha guardado nada</translation>
</message>
<message>
<source>the program that runs on this data folder is of another version; close it first. Nothing was saved</source>
<translation>el programa que usa esta carpeta de datos es de otra versión; ciérrelo antes. No se ha guardado nada</translation>
</message>
<message>
<source>the quantity would be larger than a service can hold</source>
<translation>la cantidad sería mayor de lo que un servicio admite</translation>
</message>
<message>
<source>the record in the answer cannot be read: {why}.</source>
<translation>no se puede leer el registro de la respuesta: {why}.</translation>
</message>
<message>
<source>the record in the service’s answer cannot be read: {why}</source>
<translation>no se puede leer el registro de la respuesta del servicio: {why}</translation>
</message>
<message>
<source>the record is different</source>
<translation>el registro es distinto</translation>
</message>
<message>
<source>the record is gone from the service</source>
<translation>el registro ya no existe en el servicio</translation>
</message>
<message>
<source>the record is gone, or the service has removed this</source>
<translation>el registro ya no existe, o el servicio ha retirado esto</translation>
</message>
<message>
<source>the record that it belongs to was never created</source>
<translation>el registro al que pertenece no llegó a crearse</translation>
</message>
<message>
<source>the request</source>
<translation>la solicitud</translation>
</message>
<message>
<source>the rest of today’s requests is kept for your changes</source>
<translation>el resto de las solicitudes de hoy se reserva para sus cambios</translation>
</message>
<message>
<source>the service</source>
<translation>el servicio</translation>
</message>
<message>
<source>the service answered with an error instead of data.</source>
<translation>el servicio respondió con un error en lugar de datos.</translation>
</message>
<message>
<source>the service answered with an error, and nothing was changed</source>
<translation>el servicio respondió con un error, y no se modificó nada</translation>
</message>
<message>
<source>the service answered with record {id}, which may have been changed instead. Look at both records</source>
<translation>el servicio respondió con el registro {id}, que quizá se ha modificado en su lugar. Revise los dos registros</translation>
</message>
<message>
<source>the service answered with the old value</source>
<translation>el servicio respondió con el valor anterior</translation>
</message>
<message>
<source>the service answered {status}: {message}</source>
<translation>el servicio ha respondido {status}: {message}</translation>
</message>
<message>
<source>the service asked to wait</source>
<translation>el servicio ha pedido esperar</translation>
</message>
<message>
<source>the service asks to wait ({message}); nothing more is sent until then</source>
<translation>el servicio pide esperar ({message}); hasta entonces no se envía nada más</translation>
</message>
<message>
<source>the service cannot be reached</source>
<translation>no se puede acceder al servicio</translation>
</message>
<message>
<source>the service changed something else as well: {theirs}</source>
<translation>el servicio cambió también otra cosa: {theirs}</translation>
</message>
<message>
<source>the service did not say that it was done, and nothing was changed</source>
<translation>el servicio no confirmó que se hiciera, y no se modificó nada</translation>
</message>
<message>
<source>the service did only a part of it. Still as before: {theirs}</source>
<translation>el servicio solo hizo una parte. Sigue como antes: {theirs}</translation>
</message>
<message>
<source>the service did something else than was sent with an earlier change of this kind. Decide about that one, or send this again</source>
<translation>con un cambio anterior de este tipo, el servicio hizo algo distinto de lo enviado. Decida sobre aquel o vuelva a enviar este</translation>
</message>
<message>
<source>the service does not accept the key</source>
<translation>el servicio no acepta la clave</translation>
</message>
<message>
<source>the service does not show this record, so it cannot be changed safely</source>
<translation>el servicio no muestra este registro, así que no se puede modificar con seguridad</translation>
</message>
<message>
<source>the service emptied what was not to be changed: {theirs}</source>
<translation>el servicio vació lo que no se debía modificar: {theirs}</translation>
</message>
<message>
<source>the service has no such record</source>
<translation>el servicio no tiene ese registro</translation>
</message>
<message>
<source>the service has removed this</source>
<translation>el servicio ha retirado esto</translation>
</message>
<message>
<source>the service has something else than was sent: {theirs}</source>
<translation>el servicio tiene algo distinto de lo enviado: {theirs}</translation>
</message>
<message>
<source>the service redirected it to {target}, which the program does not follow</source>
<translation>el servicio lo redirigió a {target}, y el programa no lo sigue</translation>
</message>
<message>
<source>the service redirects in a circle; check the address, or ask its provider</source>
<translation>el servicio redirige en círculo; compruebe la dirección o pregunte a su proveedor</translation>
</message>
<message>
<source>the service redirects to {target}; the program does not follow, and neither request nor key went there. If it has moved, give its new address with `connect --url`</source>
<translation>el servicio redirige a {target}; el programa no lo sigue, y no han ido allí ni la solicitud ni la clave. Si se ha trasladado, indique su nueva dirección con `connect --url`</translation>
</message>
<message>
<source>the service redirects, but does not say where to; ask its provider for the new address, and give it with `connect --url`</source>
<translation>el servicio redirige, pero no dice adónde; pida la nueva dirección a su proveedor e indíquela con `connect --url`</translation>
</message>
<message>
<source>the service rejected the key ({message}); nothing was lost. Give another with `connect --key-stdin`</source>
<translation>el servicio ha rechazado la clave ({message}); no se ha perdido nada. Indique otra con `connect --key-stdin`</translation>
</message>
<message>
<source>the service rejected the key in PETSTORE_API_KEY ({message}); nothing was lost. Put another one in that variable, or unset it to use the key in the keyring</source>
<translation>el servicio ha rechazado la clave de PETSTORE_API_KEY ({message}); no se ha perdido nada. Ponga otra en esa variable, o elimínela para usar la clave del llavero</translation>
</message>
<message>
<source>the service rejected the key {key} ({message}); nothing was lost. Give another with `connect --further-key`</source>
<translation>el servicio ha rechazado la clave {key} ({message}); no se ha perdido nada. Indique otra con `connect --further-key`</translation>
</message>
<message>
<source>the service says that the record is gone, and still shows it</source>
<translation>el servicio dice que el registro ya no está, y lo sigue mostrando</translation>
</message>
<message>
<source>the service sent an empty answer instead of data.</source>
<translation>el servicio envió una respuesta vacía en lugar de datos.</translation>
</message>
<message>
<source>the service showed another record than the one asked for</source>
<translation>el servicio mostró un registro distinto del solicitado</translation>
</message>
<message>
<source>the service stopped answering before the answer was complete.</source>
<translation>el servicio dejó de responder antes de completar la respuesta.</translation>
</message>
<message>
<source>the service takes no requests just now</source>
<translation>el servicio no acepta solicitudes en este momento</translation>
</message>
<message>
<source>the service wants another key too: {key}; give it with `connect --further-key`</source>
<translation>el servicio exige además otra clave: {key}; indíquela con `connect --further-key`</translation>
</message>
<message>
<source>the service wants the whole record, and it has not been read yet</source>
<translation>el servicio exige el registro completo, y aún no se ha leído</translation>
</message>
<message>
<source>the service’s answer broke off</source>
<translation>la respuesta del servicio se cortó</translation>
</message>
<message>
<source>the service’s answer could not be read</source>
<translation>no se pudo leer la respuesta del servicio</translation>
</message>
<message>
<source>the service’s answer could not be read, and nothing was changed</source>
<translation>no se pudo leer la respuesta del servicio, y no se modificó nada</translation>
</message>
<message>
<source>the service’s answer held no list</source>
<translation>la respuesta del servicio no contenía ninguna lista</translation>
</message>
<message>
<source>the service’s answer was empty</source>
<translation>la respuesta del servicio estaba vacía</translation>
</message>
<message>
<source>the service’s answer was too large</source>
<translation>la respuesta del servicio era demasiado grande</translation>
</message>
<message>
<source>the stock</source>
<translation>las fichas de stock</translation>
</message>
<message>
<source>the system’s</source>
<translation>los del sistema</translation>
</message>
<message>
<source>the variable PETSTORE_API_KEY</source>
<translation>la variable PETSTORE_API_KEY</translation>
</message>
<message>
<source>there are changes for the service at {address}, which this connection used before ({count}); they are kept in {path} and are sent when the connection has that address again</source>
<translation>cambios hechos para el servicio en {address}, que esta conexión usaba antes: {count}; se conservan en {path} y se envían cuando la conexión vuelva a tener esa dirección</translation>
</message>
<message>
<source>there is no connection called {name}; `petstore-desktop connections` lists them</source>
<translation>no hay ninguna conexión llamada {name}; `petstore-desktop connections` las enumera</translation>
</message>
<message>
<source>there is no connection called {name}; did you mean {alike}? `petstore-desktop connections` lists them</source>
<translation>no hay ninguna conexión llamada {name}; ¿quería decir {alike}? `petstore-desktop connections` las enumera</translation>
</message>
<message>
<source>there is no file {file}; nothing was saved</source>
<translation>no existe el archivo {file}; no se ha guardado nada</translation>
</message>
<message>
<source>there is no file {path}; nothing was changed. Give a file with certificates in PEM form</source>
<translation>no existe el archivo {path}; no se ha cambiado nada. Indique un archivo con certificados en formato PEM</translation>
</message>
<message>
<source>there is no key for {name}, so nothing was sent</source>
<translation>no hay clave para {name}, así que no se ha enviado nada</translation>
</message>
<message>
<source>there is no key for {name}; give it with `petstore-desktop connect {typed} --url {url} --key-stdin`</source>
<translation>no hay clave para {name}; indíquela con `petstore-desktop connect {typed} --url {url} --key-stdin`</translation>
</message>
<message>
<source>there is no key that works</source>
<translation>no hay ninguna clave que funcione</translation>
</message>
<message>
<source>there is no network, or the service is away</source>
<translation>no hay red, o el servicio no está disponible</translation>
</message>
<message>
<source>there is no pet {pet}; did you mean {could}?</source>
<translation>no existe la mascota {pet}; ¿quería decir {could}?</translation>
</message>
<message>
<source>there is no pet {pet}; give its id, or its name as it is written in the list</source>
<translation>no existe la mascota {pet}; indique su id, o su nombre tal como figura en la lista</translation>
</message>
<message>
<source>there is no profile {path}, and no such file; those that come with the program are called {names}</source>
<translation>no hay ningún perfil {path} ni tal archivo; los que vienen con el programa se llaman {names}</translation>
</message>
<message>
<source>there is nothing to decide about it</source>
<translation>no hay nada que decidir al respecto</translation>
</message>
<message>
<source>there was no look at the record shortly before it, because answers or the limit of requests took too long, and a change by somebody else could have been overwritten. Sent again, it rests on what was last seen</source>
<translation>no se pudo leer el registro justo antes, porque las respuestas o el límite de solicitudes tardaron demasiado, y se podría haber sobrescrito un cambio de otra persona. Si se envía de nuevo, se basa en lo último visto</translation>
</message>
<message numerus="yes">
<source>these {n} filters</source>
<translation>
<numerusform>este filtro</numerusform>
<numerusform>estos {n} filtros</numerusform>
</translation>
</message>
<message>
<source>they were entered before the program was started; change or remove a line itself</source>
<translation>se introdujeron antes de iniciar el programa; cambie o quite la propia línea</translation>
</message>
<message>
<source>this address belongs to another server than the service's own; nothing was sent there</source>
<translation>esta dirección pertenece a otro servidor, no al del servicio; no se ha enviado nada allí</translation>
</message>
<message>
<source>this answer could not be written to standard output ({why})</source>
<translation>esta respuesta no se pudo escribir en la salida estándar ({why})</translation>
</message>
<message>
<source>this cannot be understood ({code})</source>
<translation>esto no se entiende ({code})</translation>
</message>
<message>
<source>this computer has no keyring that can store a key; nothing was stored, neither key nor connection. Connect without --key-stdin, and give the key in the variable PETSTORE_API_KEY or in the window</source>
<translation>este equipo no tiene un llavero que pueda guardar una clave; no se ha guardado nada, ni la clave ni la conexión. Conéctese sin --key-stdin e indique la clave en la variable PETSTORE_API_KEY o en la ventana</translation>
</message>
<message>
<source>this service does not bring back what was deleted</source>
<translation>este servicio no recupera lo que se ha eliminado</translation>
</message>
<message>
<source>this service does not delete what was created</source>
<translation>este servicio no elimina lo que se ha creado</translation>
</message>
<message>
<source>this service does not offer it</source>
<translation>este servicio no lo ofrece</translation>
</message>
<message>
<source>this service does not offer that</source>
<translation>este servicio no ofrece eso</translation>
</message>
<message>
<source>this service no longer takes such changes</source>
<translation>este servicio ya no acepta esos cambios</translation>
</message>
<message>
<source>timed out</source>
<translation>tiempo agotado</translation>
</message>
<message>
<source>times in {zone}</source>
<translation>horas en {zone}</translation>
</message>
<message>
<source>to ship on {day}</source>
<translation>con envío el {day}</translation>
</message>
<message>
<source>today</source>
<translation>hoy</translation>
</message>
<message>
<source>today</source>
<comment>a ship date</comment>
<translation>hoy</translation>
</message>
<message>
<source>today   yesterday   tomorrow   this week   last week   next week   this month   last month</source>
<translation>hoy   ayer   mañana   esta semana   semana pasada   próxima semana   este mes   mes pasado</translation>
</message>
<message>
<source>today included</source>
<translation>hoy incluido</translation>
</message>
<message>
<source>tomorrow</source>
<comment>a ship date</comment>
<translation>mañana</translation>
</message>
<message>
<source>too many requests</source>
<translation>demasiadas solicitudes</translation>
</message>
<message>
<source>took too long</source>
<translation>tardó demasiado</translation>
</message>
<message>
<source>unchanged</source>
<translation>sin cambios</translation>
</message>
<message>
<source>unclear, read only</source>
<translation>no está claro, solo lectura</translation>
</message>
<message>
<source>unconfirmed</source>
<translation>sin confirmar</translation>
</message>
<message>
<source>undone</source>
<translation>deshecho</translation>
</message>
<message>
<source>unfreeze unpin unlock frozen panes</source>
<translation>liberar soltar desbloquear movilizar paneles</translation>
</message>
<message>
<source>unknown</source>
<translation>desconocido</translation>
</message>
<message>
<source>unknown type</source>
<translation>tipo desconocido</translation>
</message>
<message>
<source>unrecognized arguments: {words}</source>
<translation>argumentos desconocidos: {words}</translation>
</message>
<message>
<source>unsent  saved on this computer, not sent</source>
<translation>sin-enviar  guardado en este equipo, no enviado</translation>
</message>
<message>
<source>until {time}</source>
<translation>hasta {time}</translation>
</message>
<message numerus="yes">
<source>up to {n} requests</source>
<translation>
<numerusform>hasta {n} solicitud</numerusform>
<numerusform>hasta {n} solicitudes</numerusform>
</translation>
</message>
<message>
<source>used</source>
<comment>of a place on a sheet of labels</comment>
<translation>usada</translation>
</message>
<message>
<source>various</source>
<comment>several different changes</comment>
<translation>varios</translation>
</message>
<message>
<source>verify fresh current now</source>
<translation>verificar reciente actual ahora directo</translation>
</message>
<message>
<source>version licence license information</source>
<translation>versión licencia información</translation>
</message>
<message>
<source>versions past earlier audit</source>
<translation>versiones pasado anterior auditoría</translation>
</message>
<message>
<source>views</source>
<comment>the name of a file</comment>
<translation>vistas</translation>
</message>
<message>
<source>waiting</source>
<translation>en espera</translation>
</message>
<message>
<source>waits</source>
<translation>espera</translation>
</message>
<message>
<source>waits ({why})</source>
<translation>espera ({why})</translation>
</message>
<message>
<source>waits for its turn</source>
<translation>espera su turno</translation>
</message>
<message>
<source>waits for its turn, until {time}</source>
<translation>espera su turno, hasta {time}</translation>
</message>
<message>
<source>waits for the minute’s requests</source>
<translation>espera a las peticiones del próximo minuto</translation>
</message>
<message>
<source>waits for the minute’s requests, until {time}</source>
<translation>espera a las peticiones del próximo minuto, hasta {time}</translation>
</message>
<message>
<source>waits for the next day’s requests</source>
<translation>espera a las peticiones del próximo día</translation>
</message>
<message>
<source>waits for the next day’s requests, until {time}</source>
<translation>espera a las peticiones del próximo día, hasta {time}</translation>
</message>
<message>
<source>waits until sending resumes</source>
<translation>espera hasta que se reanude el envío</translation>
</message>
<message>
<source>waits until the service can be reached</source>
<translation>espera hasta que se pueda acceder al servicio</translation>
</message>
<message>
<source>weekly monthly week month pdf paper printer figures summary statistics</source>
<translation>semanal mensual semana mes pdf papel impresora cifras resumen estadísticas</translation>
</message>
<message>
<source>what is kept on this computer is unchanged</source>
<translation>lo que se conserva en este equipo no ha cambiado</translation>
</message>
<message>
<source>what was sent is not what the service shows now, of records: {met}. It said that it did it and did not, or somebody changed them since.</source>
<translation>lo enviado no es lo que el servicio muestra ahora, en registros: {met}. Dijo que lo hizo y no lo hizo, o alguien los cambió después.</translation>
</message>
<message>
<source>width order default restore</source>
<translation>ancho orden predeterminado restaurar</translation>
</message>
<message>
<source>width resize</source>
<translation>ancho anchura tamaño</translation>
</message>
<message>
<source>with other statuses</source>
<translation>con otros estados</translation>
</message>
<message>
<source>without a name</source>
<translation>sin nombre</translation>
</message>
<message>
<source>without a status</source>
<translation>sin estado</translation>
</message>
<message>
<source>without-category  it has none, or one that does not exist</source>
<translation>sin-categoría  no tiene ninguna, o una que no existe</translation>
</message>
<message>
<source>wrong</source>
<translation>erróneo</translation>
</message>
<message>
<source>yes</source>
<translation>sí</translation>
</message>
<message>
<source>yesterday</source>
<translation>ayer</translation>
</message>
<message>
<source>yesterday {time}</source>
<translation>ayer a las {time}</translation>
</message>
<message>
<source>your changes go first</source>
<translation>sus cambios van primero</translation>
</message>
<message>
<source>{action}: {job}</source>
<translation>{action}: {job}</translation>
</message>
<message>
<source>{action}: {why}</source>
<translation>{action}: {why}</translation>
</message>
<message numerus="yes">
<source>{added}, {n} cannot be used</source>
<translation>
<numerusform>{added}, {n} no se puede usar</numerusform>
<numerusform>{added}, {n} no se pueden usar</numerusform>
</translation>
</message>
<message>
<source>{address} is not an http(s) address; give the service's base address, such as https://shop.example/v1</source>
<translation>{address} no es una dirección http(s); indique la dirección base del servicio, por ejemplo https://shop.example/v1</translation>
</message>
<message>
<source>{alike}, but only by its fields: it is not used unless you choose it.</source>
<translation>{alike}, pero solo por sus campos: no se usa si usted no lo elige.</translation>
</message>
<message>
<source>{answer}, then {why}</source>
<translation>{answer}, después {why}</translation>
</message>
<message>
<source>{banned} Your changes are saved on this computer.</source>
<translation>{banned} Sus cambios están guardados en este equipo.</translation>
</message>
<message>
<source>{base} at the shop</source>
<translation>{base} en la tienda</translation>
</message>
<message>
<source>{before} → {after}</source>
<translation>{before} → {after}</translation>
</message>
<message numerus="yes">
<source>{bound} of {n} operations can be used.</source>
<translation>
<numerusform>Se puede usar {bound} de {n} operación.</numerusform>
<numerusform>Se pueden usar {bound} de {n} operaciones.</numerusform>
</translation>
</message>
<message>
<source>{category} {n} of {total}</source>
<translation>{category} {n} de {total}</translation>
</message>
<message>
<source>{category}, {id}</source>
<translation>{category}, {id}</translation>
</message>
<message numerus="yes">
<source>{changes} are not sent yet and will never be.</source>
<translation>
<numerusform>{changes} aún no se ha enviado y no se enviará nunca.</numerusform>
<numerusform>{changes} aún no se han enviado y no se enviarán nunca.</numerusform>
</translation>
</message>
<message>
<source>{changes} discarded</source>
<translation>Descartado: {changes}</translation>
</message>
<message>
<source>{changes} not sent yet are counted in.</source>
<translation>Se incluyen {changes} aún sin enviar.</translation>
</message>
<message>
<source>{changes} sent</source>
<translation>enviado: {changes}</translation>
</message>
<message>
<source>{changes} to send</source>
<translation>por enviar: {changes}</translation>
</message>
<message numerus="yes">
<source>{changes} were not sent.</source>
<translation>
<numerusform>{changes} no se ha enviado.</numerusform>
<numerusform>{changes} no se han enviado.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{change} and {n} more changes</source>
<translation>
<numerusform>{change} y {n} cambio más</numerusform>
<numerusform>{change} y {n} cambios más</numerusform>
</translation>
</message>
<message>
<source>{change} not sent</source>
<translation>{change} sin enviar</translation>
</message>
<message>
<source>{change} since, which stays</source>
<translation>{change} desde entonces, que se mantiene</translation>
</message>
<message>
<source>{chip} of {record}</source>
<translation>{chip} de {record}</translation>
</message>
<message>
<source>{code} is forgotten</source>
<translation>Se ha olvidado {code}</translation>
</message>
<message>
<source>{code} is {pet} from now on</source>
<translation>A partir de ahora, {code} corresponde a {pet}</translation>
</message>
<message>
<source>{code}: {pets}</source>
<translation>{code}: {pets}</translation>
</message>
<message>
<source>{column} cannot be edited here.</source>
<translation>{column} no se puede editar aquí.</translation>
</message>
<message>
<source>{column}: sum {sum}</source>
<translation>{column}: suma {sum}</translation>
</message>
<message>
<source>{column}: sum {sum}, {least} to {most}</source>
<translation>{column}: suma {sum}, de {least} a {most}</translation>
</message>
<message numerus="yes">
<source>{column}: {n} numbers, sum {sum}, least {least}, most {most}</source>
<translation>
<numerusform>{column}: {n} número, suma {sum}, mínimo {least}, máximo {most}</numerusform>
<numerusform>{column}: {n} números, suma {sum}, mínimo {least}, máximo {most}</numerusform>
</translation>
</message>
<message>
<source>{column}: {why}</source>
<translation>{column}: {why}</translation>
</message>
<message numerus="yes">
<source>{counts} and {n} others</source>
<translation>
<numerusform>{counts} y {n} más</numerusform>
<numerusform>{counts} y {n} más</numerusform>
</translation>
</message>
<message>
<source>{count} in stock since {time}, {before} before.</source>
<translation>{count} en stock desde {time}; antes, {before}.</translation>
</message>
<message>
<source>{count} in stock since {time}.</source>
<translation>{count} en stock desde {time}.</translation>
</message>
<message>
<source>{count} of {total} changes</source>
<comment>the last line of a file</comment>
<translation>{count} de {total} cambios</translation>
</message>
<message>
<source>{count} pets could be meant by {pet}: {could}; give the id with a # before it</source>
<translation>{pet} puede referirse a {count} mascotas: {could}; indique el id con un # delante</translation>
</message>
<message>
<source>{count} {status}</source>
<translation>{status}: {count}</translation>
</message>
<message>
<source>{count} {words}</source>
<translation>{count} {words}</translation>
</message>
<message>
<source>{count}, to ship on {day}</source>
<translation>{count}, con envío el {day}</translation>
</message>
<message>
<source>{days} late</source>
<translation>{days} de retraso</translation>
</message>
<message>
<source>{days} {hours}</source>
<translation>{days} {hours}</translation>
</message>
<message>
<source>{day}   &gt;{day}   {day}..{last}</source>
<translation>{day}   &gt;{day}   {day}..{last}</translation>
</message>
<message numerus="yes">
<source>{day} was {n} days ago.</source>
<translation>
<numerusform>El {day} fue ayer.</numerusform>
<numerusform>El {day} fue hace {n} días.</numerusform>
</translation>
</message>
<message>
<source>{day} {time}</source>
<translation>{day}, {time}</translation>
</message>
<message>
<source>{day}, {distance}</source>
<translation>{day}, {distance}</translation>
</message>
<message>
<source>{day}, {time}</source>
<translation>{day}, {time}</translation>
</message>
<message>
<source>{day}: no orders</source>
<translation>{day}: sin pedidos</translation>
</message>
<message>
<source>{day}: {counts}</source>
<translation>{day}: {counts}</translation>
</message>
<message numerus="yes">
<source>{done} of {n} labels</source>
<comment>painted</comment>
<translation>
<numerusform>{done} de {n} etiqueta</numerusform>
<numerusform>{done} de {n} etiquetas</numerusform>
</translation>
</message>
<message>
<source>{done} of {total}</source>
<translation>{done} de {total}</translation>
</message>
<message>
<source>{done}. Nothing more of this kind is sent until you send this again</source>
<translation>{done}. No se envía nada más de este tipo hasta que vuelva a enviar este cambio</translation>
</message>
<message>
<source>{endpoint} (careful: {why})</source>
<translation>{endpoint} (cuidado: {why})</translation>
</message>
<message>
<source>{endpoint} looks like {things}</source>
<translation>{endpoint} parece contener {things}</translation>
</message>
<message>
<source>{endpoint} was not taken: {why}.</source>
<translation>No se ha usado {endpoint}: {why}.</translation>
</message>
<message>
<source>{field} is {value}</source>
<translation>{field} es {value}</translation>
</message>
<message>
<source>{field} of {record}</source>
<translation>{field} de {record}</translation>
</message>
<message>
<source>{field} of {things} is read as {name}, and written as {written}.</source>
<translation>{field} de {things} se lee como {name} y se escribe como {written}.</translation>
</message>
<message>
<source>{field} of {things} is read from {name}, a guess by its name; choose it in File &gt; Operations to change it.</source>
<translation>{field} de {things} se lee de {name}, deducido por el nombre; para cambiarlo, elíjalo en Archivo &gt; Operaciones.</translation>
</message>
<message>
<source>{field} {change}</source>
<comment>a field and by how much it changes</comment>
<translation>{field} {change}</translation>
</message>
<message>
<source>{field}: {value}</source>
<translation>{field}: {value}</translation>
</message>
<message>
<source>{file} (of the service at {address})</source>
<translation>{file} (del servicio en {address})</translation>
</message>
<message>
<source>{file} cannot be read or written.</source>
<translation>{file} no se puede leer ni escribir.</translation>
</message>
<message>
<source>{file} could not be upgraded for this version of the program.</source>
<translation>{file} no se ha podido adaptar a esta versión del programa.</translation>
</message>
<message>
<source>{file} is damaged.</source>
<translation>{file} está dañado.</translation>
</message>
<message>
<source>{file} is in use by another program.</source>
<translation>Otro programa está usando {file}.</translation>
</message>
<message>
<source>{file} is not a file: it is a folder, a pipe, a device, or a link that leads nowhere.</source>
<translation>{file} no es un archivo: es una carpeta, una tubería, un dispositivo o un enlace que no lleva a ninguna parte.</translation>
</message>
<message>
<source>{file} is not there any more.</source>
<translation>{file} ya no está.</translation>
</message>
<message>
<source>{file} is write-protected.</source>
<translation>{file} está protegido contra escritura.</translation>
</message>
<message>
<source>{file} was written by a later version of this program.</source>
<translation>{file} se escribió con una versión posterior de este programa.</translation>
</message>
<message>
<source>{filters}: clear all filters.</source>
<translation>{filters}: quitar todos los filtros.</translation>
</message>
<message>
<source>{filter}: clear this filter.</source>
<translation>{filter}: quitar este filtro.</translation>
</message>
<message>
<source>{first} – {last}</source>
<comment>from one day to another</comment>
<translation>{first} – {last}</translation>
</message>
<message>
<source>{found} of {all}</source>
<translation>{found} de {all}</translation>
</message>
<message>
<source>{group}, collapsed</source>
<translation>{group}, contraído</translation>
</message>
<message>
<source>{group}, expanded</source>
<translation>{group}, desplegado</translation>
</message>
<message>
<source>{head}, {note}</source>
<translation>{head}, {note}</translation>
</message>
<message>
<source>{head}: {names}</source>
<translation>{head}: {names}</translation>
</message>
<message numerus="yes">
<source>{head}: {n}</source>
<translation>
<numerusform>{head}: {n}</numerusform>
<numerusform>{head}: {n}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{head}: {n}, {names}</source>
<translation>
<numerusform>{head}: {n}, {names}</numerusform>
<numerusform>{head}: {n}, {names}</numerusform>
</translation>
</message>
<message>
<source>{host} answers without encryption at this port.</source>
<translation>{host} responde sin cifrado en este puerto.</translation>
</message>
<message>
<source>{host} broke off before the connection was secure.</source>
<translation>{host} interrumpió la conexión antes de que fuera segura.</translation>
</message>
<message>
<source>{host} cannot be looked up: this computer seems to be offline.</source>
<translation>No se puede localizar {host}: este equipo parece estar sin conexión.</translation>
</message>
<message>
<source>{host} cannot be reached ({why}); nothing was sent. It is tried again by itself</source>
<translation>no se puede acceder a {host} ({why}); no se ha enviado nada. Se vuelve a intentar automáticamente</translation>
</message>
<message>
<source>{host} cannot be reached.</source>
<translation>No se puede acceder a {host}.</translation>
</message>
<message>
<source>{host} cannot be reached: nothing answers there. It may be down, or the port wrong.</source>
<translation>No se puede acceder a {host}: allí no responde nada. Puede que esté caído o que el puerto sea incorrecto.</translation>
</message>
<message>
<source>{host} did not answer in time.</source>
<translation>{host} no ha respondido a tiempo.</translation>
</message>
<message>
<source>{host} offers only outdated encryption, which is no longer safe.</source>
<translation>{host} solo ofrece un cifrado anticuado, que ya no es seguro.</translation>
</message>
<message>
<source>{hours} {minutes}</source>
<translation>{hours} {minutes}</translation>
</message>
<message>
<source>{job}: {done}</source>
<translation>{job}: {done}</translation>
</message>
<message>
<source>{key} (header {name})</source>
<translation>{key} (encabezado {name})</translation>
</message>
<message>
<source>{key} (in the address, as {name})</source>
<translation>{key} (en la dirección, como {name})</translation>
</message>
<message>
<source>{kind}: {sum}</source>
<comment>the title of a list of changes</comment>
<translation>{kind}: {sum}</translation>
</message>
<message>
<source>{known} {cost}</source>
<translation>{known} {cost}</translation>
</message>
<message>
<source>{labels}, {sheets}</source>
<translation>{labels}, {sheets}</translation>
</message>
<message>
<source>{label}: {text}</source>
<translation>{label}: {text}</translation>
</message>
<message>
<source>{left} left</source>
<translation>quedan {left}</translation>
</message>
<message>
<source>{left} left, {ends}</source>
<translation>quedan {left}, {ends}</translation>
</message>
<message>
<source>{left} of {limit} are left, for Refresh and Check live.</source>
<translation>Quedan {left} de {limit}, para Actualizar y Comprobar en línea.</translation>
</message>
<message>
<source>{left} of {limit} left</source>
<translation>quedan {left} de {limit}</translation>
</message>
<message>
<source>{length} ahead of this computer’s</source>
<translation>{length} adelantado respecto al de este equipo</translation>
</message>
<message>
<source>{length} behind this computer’s</source>
<translation>{length} atrasado respecto al de este equipo</translation>
</message>
<message>
<source>{length} mm</source>
<translation>{length} mm</translation>
</message>
<message>
<source>{limits}, {scene}.</source>
<translation>{limits}, {scene}.</translation>
</message>
<message>
<source>{limits}.</source>
<translation>{limits}.</translation>
</message>
<message>
<source>{line} · the service counts {counts} {age}</source>
<translation>{line} · el servicio cuenta {counts} ({age})</translation>
</message>
<message>
<source>{list}, {field}: not found in the service’s records.</source>
<translation>{list}, {field}: no encontrado en los registros del servicio.</translation>
</message>
<message>
<source>{list}, {field}: read from {name}, which is a guess. To change it here, choose the name.</source>
<translation>{list}, {field}: se lee de {name}, deducido por el nombre. Para cambiarlo aquí, elija el nombre.</translation>
</message>
<message>
<source>{list}, {field}: read from {name}.</source>
<translation>{list}, {field}: se lee de {name}.</translation>
</message>
<message>
<source>{list}: the program cannot tell which record a change would reach, because {name} can mean two things. A profile settles it.</source>
<translation>{list}: el programa no puede saber qué registro alcanzaría un cambio, porque {name} puede significar dos cosas. Un perfil lo aclara.</translation>
</message>
<message>
<source>{low} of {total}</source>
<translation>{low} de {total}</translation>
</message>
<message>
<source>{more}: {title}</source>
<translation>{more}: {title}</translation>
</message>
<message>
<source>{names} and {last}</source>
<translation>{names} y {last}</translation>
</message>
<message numerus="yes">
<source>{names} and {n} more</source>
<translation>
<numerusform>{names} y {n} más</numerusform>
<numerusform>{names} y {n} más</numerusform>
</translation>
</message>
<message>
<source>{names} and {n} more categories</source>
<translation>{names} y {n} categorías más</translation>
</message>
<message>
<source>{names}: {said}</source>
<translation>{names}: {said}</translation>
</message>
<message numerus="yes">
<source>{names}; and {n} more</source>
<translation>
<numerusform>{names}; y {n} más</numerusform>
<numerusform>{names}; y {n} más</numerusform>
</translation>
</message>
<message>
<source>{name} (#{id})</source>
<translation>{name} (#{id})</translation>
</message>
<message>
<source>{name} ({id})</source>
<translation>{name} ({id})</translation>
</message>
<message>
<source>{name} already exists. Choose another name.</source>
<translation>{name} ya existe. Elija otro nombre.</translation>
</message>
<message>
<source>{name} cannot be kept with this value of {what}; nothing was changed</source>
<translation>{name} no se puede guardar con este valor de {what}; no se ha cambiado nada</translation>
</message>
<message>
<source>{name} has another value for {parameter}, and what is kept of it belongs to that; make a connection of another name</source>
<translation>{name} tiene otro valor para {parameter}, y lo que se conserva pertenece a él; cree una conexión con otro nombre</translation>
</message>
<message>
<source>{name} has changes that are not sent yet ({count}); nothing was removed. --yes writes them to a file and forgets {name}</source>
<translation>cambios de {name} aún sin enviar: {count}; no se ha eliminado nada. --yes los escribe en un archivo y olvida {name}</translation>
</message>
<message>
<source>{name} has changes that wait for {address} ({count}); let them be sent, or forget {name}, before its address is changed</source>
<translation>cambios de {name} que esperan a {address}: {count}; deje que se envíen, u olvide {name}, antes de cambiar su dirección</translation>
</message>
<message>
<source>{name} has no list of {resource}: its service does not offer one</source>
<translation>{name} no tiene lista de {resource}: su servicio no ofrece ninguna</translation>
</message>
<message>
<source>{name} is no status of an order. There are: {known}.</source>
<translation>{name} no es una situación de pedido. Existen: {known}.</translation>
</message>
<message>
<source>{name} is not available, pending or sold.</source>
<translation>{name} no es un estado: use disponible, pendiente o vendida.</translation>
</message>
<message>
<source>{name} is read-only; nothing was saved. `connect --read-write` ends that</source>
<translation>{name} es de solo lectura; no se ha guardado nada. `connect --read-write` lo desactiva</translation>
</message>
<message>
<source>{name} was closed in the running program before anything was saved; say it again</source>
<translation>{name} se cerró en el programa en ejecución antes de guardar nada; inténtelo de nuevo</translation>
</message>
<message>
<source>{name}, view of {list}</source>
<translation>{name}, vista de {list}</translation>
</message>
<message>
<source>{name}: in stock {mine} here, {theirs} elsewhere</source>
<translation>{name}: en stock, {mine} aquí, {theirs} en otro lugar</translation>
</message>
<message>
<source>{name}: renamed, because its name was taken</source>
<translation>{name}: renombrada, porque su nombre ya existía</translation>
</message>
<message>
<source>{name}: {after}, {who}</source>
<translation>{name}: {after}, {who}</translation>
</message>
<message>
<source>{name}: {before} → {after}, {who}</source>
<translation>{name}: {before} → {after}, {who}</translation>
</message>
<message>
<source>{name}: {lasts}, {gone}</source>
<translation>{name}: {lasts}, {gone}</translation>
</message>
<message>
<source>{name}: {low} of {total} low</source>
<translation>{name}: {low} de {total} con stock bajo</translation>
</message>
<message>
<source>{name}: {mine} here, {theirs} elsewhere</source>
<translation>{name}: {mine} aquí, {theirs} en otro lugar</translation>
</message>
<message>
<source>{now} ({change})</source>
<comment>pieces now, and how many more than before</comment>
<translation>{now} ({change})</translation>
</message>
<message>
<source>{number} s</source>
<comment>seconds</comment>
<translation>{number} s</translation>
</message>
<message>
<source>{number} typed</source>
<translation>{number} tecleadas</translation>
</message>
<message numerus="yes">
<source>{n} already have this value.</source>
<translation>
<numerusform>{n} ya tiene este valor.</numerusform>
<numerusform>{n} ya tienen este valor.</numerusform>
</translation>
</message>
<message>
<source>{n} are called {name}: a column with ids is needed.</source>
<translation>Hay {n} que se llaman {name}: hace falta una columna con ids.</translation>
</message>
<message numerus="yes">
<source>{n} bar codes added</source>
<translation>
<numerusform>{n} código de barras añadido</numerusform>
<numerusform>{n} códigos de barras añadidos</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} bar codes written to {file}</source>
<translation>
<numerusform>{n} código de barras guardado en {file}</numerusform>
<numerusform>{n} códigos de barras guardados en {file}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} being sent</source>
<translation>
<numerusform>{n} enviándose</numerusform>
<numerusform>{n} enviándose</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} cannot be redone: {why}</source>
<translation>
<numerusform>{n} no se puede rehacer: {why}</numerusform>
<numerusform>{n} no se pueden rehacer: {why}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} cannot be saved: see the note.</source>
<translation>
<numerusform>{n} no se puede guardar: vea la nota.</numerusform>
<numerusform>{n} no se pueden guardar: vea la nota.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} cannot be undone: {why}</source>
<translation>
<numerusform>{n} no se puede deshacer: {why}</numerusform>
<numerusform>{n} no se pueden deshacer: {why}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} categories</source>
<translation>
<numerusform>{n} categoría</numerusform>
<numerusform>{n} categorías</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} categories do not exist: {names}.</source>
<translation>
<numerusform>No existe la categoría {names}.</numerusform>
<numerusform>No existen {n} categorías: {names}.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} categories will be added: {names}.</source>
<translation>
<numerusform>Se añadirá una categoría: {names}.</numerusform>
<numerusform>Se añadirán {n} categorías: {names}.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} cells have values that cannot be saved.</source>
<translation>
<numerusform>{n} celda tiene un valor que no se puede guardar.</numerusform>
<numerusform>{n} celdas tienen valores que no se pueden guardar.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changed meanwhile and are left out: see the note.</source>
<translation>
<numerusform>{n} ha cambiado entretanto y se omite: vea la nota.</numerusform>
<numerusform>{n} han cambiado entretanto y se omiten: vea la nota.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes</source>
<translation>
<numerusform>{n} cambio</numerusform>
<numerusform>{n} cambios</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes are in {file}</source>
<translation>
<numerusform>{n} cambio guardado en {file}</numerusform>
<numerusform>{n} cambios guardados en {file}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes are saved on this computer and stay paused until you resume them.</source>
<translation>
<numerusform>{n} cambio está guardado en este equipo y sigue en pausa hasta que lo reanude.</numerusform>
<numerusform>{n} cambios están guardados en este equipo y siguen en pausa hasta que los reanude.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes are saved on this computer.</source>
<translation>
<numerusform>{n} cambio está guardado en este equipo.</numerusform>
<numerusform>{n} cambios están guardados en este equipo.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes need attention</source>
<translation>
<numerusform>{n} cambio requiere atención</numerusform>
<numerusform>{n} cambios requieren atención</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes of a rehearsal wait to be looked at.</source>
<translation>
<numerusform>{n} cambio de un ensayo espera revisión.</numerusform>
<numerusform>{n} cambios de un ensayo esperan revisión.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes saved on this computer and not sent; they go out with the next `petstore-desktop sync`, import or booking, or while the window is open</source>
<translation>
<numerusform>{n} cambio guardado en este equipo y no enviado; saldrá con el próximo `petstore-desktop sync`, importación o movimiento de stock, o mientras la ventana esté abierta</numerusform>
<numerusform>{n} cambios guardados en este equipo y no enviados; saldrán con el próximo `petstore-desktop sync`, importación o movimiento de stock, o mientras la ventana esté abierta</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes that were refused or in conflict there are not kept.</source>
<translation>
<numerusform>No se conserva {n} cambio que allí fue rechazado o quedó en conflicto.</numerusform>
<numerusform>No se conservan {n} cambios que allí fueron rechazados o quedaron en conflicto.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes wait, all saved on this computer.</source>
<translation>
<numerusform>{n} cambio espera, guardado en este equipo.</numerusform>
<numerusform>{n} cambios esperan, todos guardados en este equipo.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes were made for the service at {address}, which this connection used before.</source>
<translation>
<numerusform>{n} cambio se hizo para el servicio en {address}, que esta conexión usaba antes.</numerusform>
<numerusform>{n} cambios se hicieron para el servicio en {address}, que esta conexión usaba antes.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} codes are unknown.</source>
<translation>
<numerusform>{n} código es desconocido.</numerusform>
<numerusform>{n} códigos son desconocidos.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} codes have no room on their label.</source>
<translation>
<numerusform>{n} código no cabe en su etiqueta.</numerusform>
<numerusform>{n} códigos no caben en su etiqueta.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} columns beyond the last are left out.</source>
<translation>
<numerusform>Se omite {n} columna que queda más allá de la última.</numerusform>
<numerusform>Se omiten {n} columnas que quedan más allá de la última.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} come back with new ids</source>
<translation>
<numerusform>{n} vuelve con un id nuevo</numerusform>
<numerusform>{n} vuelven con ids nuevos</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} come back with new ids and without their stock</source>
<translation>
<numerusform>{n} vuelve con un id nuevo y sin su stock</numerusform>
<numerusform>{n} vuelven con ids nuevos y sin su stock</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} complete</source>
<translation>
<numerusform>{n} completado</numerusform>
<numerusform>{n} completados</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} completed</source>
<comment>after a number of orders placed</comment>
<translation>
<numerusform>{n} completado</numerusform>
<numerusform>{n} completados</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} conflicts</source>
<translation>
<numerusform>{n} conflicto</numerusform>
<numerusform>{n} conflictos</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} counted pets have no stock entry, and are not booked.</source>
<translation>
<numerusform>{n} mascota contada no tiene ficha de stock y no se registra.</numerusform>
<numerusform>{n} mascotas contadas no tienen ficha de stock y no se registran.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} days</source>
<translation>
<numerusform>{n} día</numerusform>
<numerusform>{n} días</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} days ago</source>
<translation>
<numerusform>hace {n} día</numerusform>
<numerusform>hace {n} días</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} days late</source>
<translation>
<numerusform>{n} día de retraso</numerusform>
<numerusform>{n} días de retraso</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} decided</source>
<translation>
<numerusform>Decidido</numerusform>
<numerusform>{n} decididos</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} decided: yours are discarded</source>
<translation>
<numerusform>Decidido: su valor se descarta</numerusform>
<numerusform>{n} decididos: sus valores se descartan</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} decided: yours are sent again</source>
<translation>
<numerusform>Decidido: su valor se vuelve a enviar</numerusform>
<numerusform>{n} decididos: sus valores se vuelven a enviar</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} differ.</source>
<translation>
<numerusform>{n} difiere.</numerusform>
<numerusform>{n} difieren.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} discarded</source>
<translation>
<numerusform>{n} descartado</numerusform>
<numerusform>{n} descartados</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} due today</source>
<translation>
<numerusform>{n} para hoy</numerusform>
<numerusform>{n} para hoy</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} elsewhere</source>
<translation>
<numerusform>{n} en otro lugar</numerusform>
<numerusform>{n} en otro lugar</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} empty cells are left out.</source>
<translation>
<numerusform>Se omite {n} celda vacía.</numerusform>
<numerusform>Se omiten {n} celdas vacías.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} filters</source>
<translation>
<numerusform>{n} filtro</numerusform>
<numerusform>{n} filtros</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} follow when the service has answered</source>
<translation>
<numerusform>{n} seguirá cuando el servicio haya respondido</numerusform>
<numerusform>{n} seguirán cuando el servicio haya respondido</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} further changes are saved with them: deletions, and stock of new pets.</source>
<translation>
<numerusform>Con ellos se guarda {n} cambio más: una eliminación o el stock de una mascota nueva.</numerusform>
<numerusform>Con ellos se guardan {n} cambios más: eliminaciones y stock de mascotas nuevas.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} gone</source>
<comment>records that are no longer there</comment>
<translation>
<numerusform>{n} que ya no existe</numerusform>
<numerusform>{n} que ya no existen</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} gone in {days}, {left} in stock</source>
<translation>
<numerusform>{n} menos en {days}, {left} en stock</numerusform>
<numerusform>{n} menos en {days}, {left} en stock</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} h</source>
<translation>
<numerusform>{n} h</numerusform>
<numerusform>{n} h</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} have open orders, which stay as they are.</source>
<translation>
<numerusform>{n} tiene pedidos abiertos, que quedan como están.</numerusform>
<numerusform>{n} tienen pedidos abiertos, que quedan como están.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} here</source>
<translation>
<numerusform>{n} aquí</numerusform>
<numerusform>{n} aquí</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} here and elsewhere</source>
<translation>
<numerusform>{n} aquí y en otro lugar</numerusform>
<numerusform>{n} aquí y en otro lugar</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} ids have signs that Code 128 does not have: no code there. Choose QR.</source>
<translation>
<numerusform>{n} id tiene caracteres que Code 128 no admite: sin código. Elija QR.</numerusform>
<numerusform>{n} ids tienen caracteres que Code 128 no admite: sin código. Elija QR.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} in conflict</source>
<translation>
<numerusform>{n} en conflicto</numerusform>
<numerusform>{n} en conflicto</numerusform>
</translation>
</message>
<message>
<source>{n} in stock</source>
<translation>{n} en stock</translation>
</message>
<message numerus="yes">
<source>{n} labels are in {file}</source>
<translation>
<numerusform>{n} etiqueta guardada en {file}</numerusform>
<numerusform>{n} etiquetas guardadas en {file}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} labels for {pets}</source>
<translation>
<numerusform>{n} etiqueta para {pets}</numerusform>
<numerusform>{n} etiquetas para {pets}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} labels here, {after} after it.</source>
<comment>on a sheet</comment>
<translation>
<numerusform>{n} etiqueta aquí, {after} después.</numerusform>
<numerusform>{n} etiquetas aquí, {after} después.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} labels here.</source>
<comment>on a sheet</comment>
<translation>
<numerusform>{n} etiqueta aquí.</numerusform>
<numerusform>{n} etiquetas aquí.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} labels sent to the printer</source>
<translation>
<numerusform>{n} etiqueta enviada a la impresora</numerusform>
<numerusform>{n} etiquetas enviadas a la impresora</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} lines are not ticked, because their stock may have changed before they were counted: recount, or decide.</source>
<translation>
<numerusform>{n} línea no está marcada, porque su stock puede haber cambiado antes de contarla: vuelva a contar o decida.</numerusform>
<numerusform>{n} líneas no están marcadas, porque su stock puede haber cambiado antes de contarlas: vuelva a contar o decida.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} min</source>
<translation>
<numerusform>{n} min</numerusform>
<numerusform>{n} min</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} more</source>
<translation>
<numerusform>{n} más</numerusform>
<numerusform>{n} más</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} more requests may be sent this minute.</source>
<translation>
<numerusform>En este minuto se puede enviar {n} solicitud más.</numerusform>
<numerusform>En este minuto se pueden enviar {n} solicitudes más.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} more requests may be sent today.</source>
<translation>
<numerusform>Hoy se puede enviar {n} solicitud más.</numerusform>
<numerusform>Hoy se pueden enviar {n} solicitudes más.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} ms</source>
<translation>
<numerusform>{n} ms</numerusform>
<numerusform>{n} ms</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} names are too long, and are cut. Choose larger labels.</source>
<translation>
<numerusform>{n} nombre es demasiado largo y se recorta. Elija etiquetas más grandes.</numerusform>
<numerusform>{n} nombres son demasiado largos y se recortan. Elija etiquetas más grandes.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} need attention</source>
<translation>
<numerusform>{n} requiere atención</numerusform>
<numerusform>{n} requieren atención</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} new orders</source>
<translation>
<numerusform>{n} pedido nuevo</numerusform>
<numerusform>{n} pedidos nuevos</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} new pets</source>
<translation>
<numerusform>{n} mascota nueva</numerusform>
<numerusform>{n} mascotas nuevas</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} new pets have a stock. You can book it once the service has created them.</source>
<translation>
<numerusform>{n} mascota nueva tiene stock. Se podrá registrar cuando el servicio la haya creado.</numerusform>
<numerusform>{n} mascotas nuevas tienen stock. Se podrá registrar cuando el servicio las haya creado.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} of them cannot be read; the list has what is left of them.</source>
<translation>
<numerusform>{n} de ellos no se puede leer; la lista contiene lo que queda de él.</numerusform>
<numerusform>{n} de ellos no se pueden leer; la lista contiene lo que queda de ellos.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} of them undone</source>
<translation>
<numerusform>{n} de ellos deshecho</numerusform>
<numerusform>{n} de ellos deshechos</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} of {total} are left out.</source>
<translation>
<numerusform>Se omite {n} de {total}.</numerusform>
<numerusform>Se omiten {n} de {total}.</numerusform>
</translation>
</message>
<message>
<source>{n} of {total} counted</source>
<translation>{n} de {total} contadas</translation>
</message>
<message>
<source>{n} of {total} counted.</source>
<translation>{n} de {total} contadas.</translation>
</message>
<message numerus="yes">
<source>{n} of {total} selected</source>
<translation>
<numerusform>{n} de {total} seleccionada</numerusform>
<numerusform>{n} de {total} seleccionadas</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} on order.</source>
<translation>
<numerusform>En pedidos: {n}.</numerusform>
<numerusform>En pedidos: {n}.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} open</source>
<translation>
<numerusform>{n} abierto</numerusform>
<numerusform>{n} abiertos</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} open orders</source>
<translation>
<numerusform>{n} pedido abierto</numerusform>
<numerusform>{n} pedidos abiertos</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} open orders have no date.</source>
<translation>
<numerusform>{n} pedido abierto no tiene fecha.</numerusform>
<numerusform>{n} pedidos abiertos no tienen fecha.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} orders</source>
<translation>
<numerusform>{n} pedido</numerusform>
<numerusform>{n} pedidos</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} orders are overdue</source>
<translation>
<numerusform>{n} pedido está atrasado</numerusform>
<numerusform>{n} pedidos están atrasados</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} orders completed</source>
<translation>
<numerusform>{n} pedido completado</numerusform>
<numerusform>{n} pedidos completados</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} orders placed</source>
<translation>
<numerusform>{n} pedido realizado</numerusform>
<numerusform>{n} pedidos realizados</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} other categories</source>
<translation>
<numerusform>{n} categoría más</numerusform>
<numerusform>{n} categorías más</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} other changes</source>
<translation>
<numerusform>{n} cambio más</numerusform>
<numerusform>{n} cambios más</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} other shops need attention</source>
<translation>
<numerusform>{n} tienda más requiere atención</numerusform>
<numerusform>{n} tiendas más requieren atención</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} others</source>
<translation>
<numerusform>{n} más</numerusform>
<numerusform>{n} más</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} others: {counted} of {total}</source>
<translation>
<numerusform>{n} más: {counted} de {total}</numerusform>
<numerusform>{n} más: {counted} de {total}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} overdue</source>
<translation>
<numerusform>{n} atrasado</numerusform>
<numerusform>{n} atrasados</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} pages, {size}.</source>
<translation>
<numerusform>{n} página, {size}.</numerusform>
<numerusform>{n} páginas, {size}.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} pasted lines were left out. The first is: {line}</source>
<translation>
<numerusform>Se ha omitido {n} línea pegada. Es: {line}</numerusform>
<numerusform>Se han omitido {n} líneas pegadas. La primera es: {line}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} pets</source>
<translation>
<numerusform>{n} mascota</numerusform>
<numerusform>{n} mascotas</numerusform>
</translation>
</message>
<message>
<source>{n} pets are called {name}: enter the id.</source>
<translation>{n} mascotas se llaman {name}: introduzca el id.</translation>
</message>
<message numerus="yes">
<source>{n} pets are low</source>
<translation>
<numerusform>{n} mascota con existencias bajas</numerusform>
<numerusform>{n} mascotas con existencias bajas</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} pets are not counted.</source>
<translation>
<numerusform>{n} mascota no está contada.</numerusform>
<numerusform>{n} mascotas no están contadas.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} pets have no id yet, so their labels have no code. Print them once the pets are sent.</source>
<translation>
<numerusform>{n} mascota aún no tiene id, así que su etiqueta no lleva código. Imprímala cuando la mascota se haya enviado al servicio.</numerusform>
<numerusform>{n} mascotas aún no tienen id, así que sus etiquetas no llevan código. Imprímalas cuando las mascotas se hayan enviado al servicio.</numerusform>
</translation>
</message>
<message>
<source>{n} pets have the code {code}</source>
<translation>{n} mascotas tienen el código {code}</translation>
</message>
<message numerus="yes">
<source>{n} pets sold</source>
<translation>
<numerusform>{n} mascota vendida</numerusform>
<numerusform>{n} mascotas vendidas</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} pieces</source>
<translation>
<numerusform>{n} unidad</numerusform>
<numerusform>{n} unidades</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} problems found.</source>
<translation>
<numerusform>Se ha encontrado {n} problema.</numerusform>
<numerusform>Se han encontrado {n} problemas.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} records are set aside and not counted.</source>
<translation>
<numerusform>{n} registro está apartado y no se cuenta.</numerusform>
<numerusform>{n} registros están apartados y no se cuentan.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} records have a slash in their ids: they are shown, and cannot be changed here.</source>
<translation>
<numerusform>{n} registro tiene una barra en su id: se muestra, pero aquí no se puede modificar.</numerusform>
<numerusform>{n} registros tienen una barra en su id: se muestran, pero aquí no se pueden modificar.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} records may be gone</source>
<translation>
<numerusform>{n} registro quizá eliminado</numerusform>
<numerusform>{n} registros quizá eliminados</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} records set aside</source>
<translation>
<numerusform>{n} registro apartado</numerusform>
<numerusform>{n} registros apartados</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} refused</source>
<translation>
<numerusform>{n} rechazado</numerusform>
<numerusform>{n} rechazados</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} remarks on the document</source>
<translation>
<numerusform>{n} observación sobre el documento</numerusform>
<numerusform>{n} observaciones sobre el documento</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} requests</source>
<translation>
<numerusform>{n} solicitud</numerusform>
<numerusform>{n} solicitudes</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} requests a day</source>
<translation>
<numerusform>{n} solicitud por día</numerusform>
<numerusform>{n} solicitudes por día</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} requests a minute</source>
<translation>
<numerusform>{n} solicitud por minuto</numerusform>
<numerusform>{n} solicitudes por minuto</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} requests a minute, {day} a day</source>
<translation>
<numerusform>{n} solicitud por minuto, {day} por día</numerusform>
<numerusform>{n} solicitudes por minuto, {day} por día</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} requests are left of this minute’s.</source>
<translation>
<numerusform>Queda {n} solicitud de las de este minuto.</numerusform>
<numerusform>Quedan {n} solicitudes de las de este minuto.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} requests are left of today’s.</source>
<translation>
<numerusform>Queda {n} solicitud de las de hoy.</numerusform>
<numerusform>Quedan {n} solicitudes de las de hoy.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} requests are on the clipboard, without the key</source>
<translation>
<numerusform>{n} solicitud copiada al portapapeles, sin la clave</numerusform>
<numerusform>{n} solicitudes copiadas al portapapeles, sin la clave</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} requests.</source>
<translation>
<numerusform>{n} solicitud.</numerusform>
<numerusform>{n} solicitudes.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows are in {file}</source>
<translation>
<numerusform>{n} fila está en {file}</numerusform>
<numerusform>{n} filas están en {file}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows are read.</source>
<translation>
<numerusform>{n} fila leída.</numerusform>
<numerusform>{n} filas leídas.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows are the same only by changes that the service has not taken</source>
<translation>
<numerusform>{n} fila solo es igual por cambios que el servicio no ha aceptado</numerusform>
<numerusform>{n} filas solo son iguales por cambios que el servicio no ha aceptado</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows beyond the end are left out.</source>
<translation>
<numerusform>Se omite {n} fila que queda más allá del final.</numerusform>
<numerusform>Se omiten {n} filas que quedan más allá del final.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows copied</source>
<translation>
<numerusform>{n} fila copiada</numerusform>
<numerusform>{n} filas copiadas</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows copied with Id, Name and To order.</source>
<translation>
<numerusform>{n} fila copiada con «Id», «Nombre» y «A pedir».</numerusform>
<numerusform>{n} filas copiadas con «Id», «Nombre» y «A pedir».</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows hold changes that are not sent yet.</source>
<translation>
<numerusform>{n} fila contiene un cambio aún sin enviar.</numerusform>
<numerusform>{n} filas contienen cambios aún sin enviar.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows were imported before, and are not added again.</source>
<translation>
<numerusform>{n} fila ya se importó y no se añade de nuevo.</numerusform>
<numerusform>{n} filas ya se importaron y no se añaden de nuevo.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows were imported before, and are not made again without --again</source>
<translation>
<numerusform>{n} fila ya se importó y no se añade de nuevo sin --again</numerusform>
<numerusform>{n} filas ya se importaron y no se añaden de nuevo sin --again</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows were imported before, and make new records.</source>
<translation>
<numerusform>{n} fila ya se importó y crea un registro nuevo.</numerusform>
<numerusform>{n} filas ya se importaron y crean registros nuevos.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} saved views cannot be used by this version; they are kept</source>
<translation>
<numerusform>{n} vista guardada no se puede usar en esta versión; se conserva</numerusform>
<numerusform>{n} vistas guardadas no se pueden usar en esta versión; se conservan</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} scans</source>
<translation>
<numerusform>{n} lectura</numerusform>
<numerusform>{n} lecturas</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} sent</source>
<translation>
<numerusform>{n} enviado</numerusform>
<numerusform>{n} enviados</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} sheets</source>
<comment>of labels</comment>
<translation>
<numerusform>{n} hoja</numerusform>
<numerusform>{n} hojas</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} so far</source>
<translation>
<numerusform>{n} hasta ahora</numerusform>
<numerusform>{n} hasta ahora</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} stock entries</source>
<translation>
<numerusform>{n} ficha de stock</numerusform>
<numerusform>{n} fichas de stock</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} to come</source>
<translation>
<numerusform>{n} próximo</numerusform>
<numerusform>{n} próximos</numerusform>
</translation>
</message>
<message>
<source>{n} to go</source>
<translation>por contar: {n}</translation>
</message>
<message numerus="yes">
<source>{n} today</source>
<translation>
<numerusform>{n} hoy</numerusform>
<numerusform>{n} hoy</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} unconfirmed</source>
<translation>
<numerusform>{n} sin confirmar</numerusform>
<numerusform>{n} sin confirmar</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} undone</source>
<translation>
<numerusform>{n} deshecho</numerusform>
<numerusform>{n} deshechos</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} unknown codes.</source>
<translation>
<numerusform>{n} código desconocido.</numerusform>
<numerusform>{n} códigos desconocidos.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} unsent</source>
<translation>
<numerusform>{n} sin enviar</numerusform>
<numerusform>{n} sin enviar</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} unsent changes are left out: the copy shows what the service last said.</source>
<translation>
<numerusform>Se omite {n} cambio sin enviar: la copia muestra lo último que dijo el servicio.</numerusform>
<numerusform>Se omiten {n} cambios sin enviar: la copia muestra lo último que dijo el servicio.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} unsent elsewhere</source>
<translation>
<numerusform>{n} sin enviar en otra tienda</numerusform>
<numerusform>{n} sin enviar en otras tiendas</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} values are others now than you saw: they are left out.</source>
<translation>
<numerusform>{n} valor es ahora distinto del que vio: se omite.</numerusform>
<numerusform>{n} valores son ahora distintos de los que vio: se omiten.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} views added</source>
<translation>
<numerusform>{n} vista añadida</numerusform>
<numerusform>{n} vistas añadidas</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} views written to {file}</source>
<translation>
<numerusform>{n} vista guardada en {file}</numerusform>
<numerusform>{n} vistas guardadas en {file}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} wait for earlier changes that need your decision</source>
<translation>
<numerusform>{n} espera a un cambio anterior que requiere su decisión</numerusform>
<numerusform>{n} esperan a cambios anteriores que requieren su decisión</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} waiting</source>
<translation>
<numerusform>{n} en espera</numerusform>
<numerusform>{n} en espera</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} ways to use this service end soon, first: {what}, on {day}, {left}</source>
<translation>
<numerusform>Pronto termina {n} forma de usar este servicio: {what}, el {day}, {left}</numerusform>
<numerusform>Pronto terminan {n} formas de usar este servicio; la primera: {what}, el {day}, {left}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} wrong rows copied</source>
<translation>
<numerusform>{n} fila incorrecta copiada</numerusform>
<numerusform>{n} filas incorrectas copiadas</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} {pet}, to ship on {day}.</source>
<translation>
<numerusform>{n} {pet}, con envío el {day}.</numerusform>
<numerusform>{n} {pet}, con envío el {day}.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} {pet}, to ship today.</source>
<translation>
<numerusform>{n} {pet}, con envío hoy.</numerusform>
<numerusform>{n} {pet}, con envío hoy.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} {pet}, without a ship date.</source>
<translation>
<numerusform>{n} {pet}, sin fecha de envío.</numerusform>
<numerusform>{n} {pet}, sin fecha de envío.</numerusform>
</translation>
</message>
<message>
<source>{n} {status}</source>
<translation>{status}: {n}</translation>
</message>
<message>
<source>{n}+</source>
<comment>at least so many</comment>
<translation>{n}+</translation>
</message>
<message>
<source>{old} becomes {new}</source>
<translation>{old} pasa a {new}</translation>
</message>
<message>
<source>{page}: manual of Pet Store Desktop</source>
<translation>{page}: manual de Pet Store Desktop</translation>
</message>
<message>
<source>{paper}, {columns} × {rows}, {width} × {height} mm</source>
<translation>{paper}, {columns} × {rows}, {width} × {height} mm</translation>
</message>
<message>
<source>{parts}.</source>
<comment>a sentence from parts with commas between them</comment>
<translation>{parts}.</translation>
</message>
<message>
<source>{path} (of the service at {address})</source>
<translation>{path} (del servicio en {address})</translation>
</message>
<message>
<source>{path} cannot be opened or made; see that the folder is there and that you may read and write in it, or choose another one with --data-dir</source>
<translation>{path} no se puede abrir ni crear; compruebe que la carpeta existe y que puede leer y escribir en ella, o elija otra con --data-dir</translation>
</message>
<message>
<source>{path} holds no certificate; nothing was changed. Give the certificates of an authority in PEM form, with BEGIN CERTIFICATE in it</source>
<translation>{path} no contiene ningún certificado; no se ha cambiado nada. Indique los certificados de una autoridad en formato PEM, con BEGIN CERTIFICATE</translation>
</message>
<message>
<source>{pet} (#{id})</source>
<translation>{pet} (#{id})</translation>
</message>
<message>
<source>{pet} {count}</source>
<comment>what came of a pet: Koi (#1126) +6</comment>
<translation>{pet} {count}</translation>
</message>
<message>
<source>{pet}: {n}</source>
<translation>{pet}: {n}</translation>
</message>
<message numerus="yes">
<source>{pieces} in {n} lines</source>
<translation>
<numerusform>{pieces} en {n} línea</numerusform>
<numerusform>{pieces} en {n} líneas</numerusform>
</translation>
</message>
<message>
<source>{plan}: {limits}</source>
<translation>{plan}: {limits}</translation>
</message>
<message>
<source>{reading} · {more}</source>
<translation>{reading} · {more}</translation>
</message>
<message>
<source>{reason} Not saved. In its cell, correct it, or press Esc to discard.</source>
<translation>{reason} No se ha guardado. Corríjalo en su celda o pulse Esc para descartarlo.</translation>
</message>
<message numerus="yes">
<source>{records} still name the old id</source>
<translation>
<numerusform>{records} todavía indica el id anterior</numerusform>
<numerusform>{records} todavía indican el id anterior</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{record} and {n} more changes</source>
<translation>
<numerusform>{record} y {n} cambio más</numerusform>
<numerusform>{record} y {n} cambios más</numerusform>
</translation>
</message>
<message>
<source>{record} has changed at the service; the new values are shown</source>
<translation>{record}: ha cambiado en el servicio; se muestran los valores nuevos</translation>
</message>
<message>
<source>{record} is no longer there</source>
<translation>{record} ya no existe</translation>
</message>
<message>
<source>{record} is unchanged, live at {time}</source>
<translation>{record}: sin cambios, en línea ({time})</translation>
</message>
<message>
<source>{record} was changed elsewhere; nothing was overwritten</source>
<translation>{record}: modificado en otro lugar; no se ha sobrescrito nada</translation>
</message>
<message>
<source>{record} was deleted here ({time})</source>
<translation>{record} se eliminó aquí ({time})</translation>
</message>
<message>
<source>{record} was removed elsewhere (noticed {time})</source>
<translation>{record} se quitó en otro lugar (visto {time})</translation>
</message>
<message>
<source>{record}, {value}, {who}, {when}</source>
<translation>{record}, {value}, {who}, {when}</translation>
</message>
<message>
<source>{record}: cannot be ticked</source>
<translation>{record}: no se puede marcar</translation>
</message>
<message>
<source>{record}: left out</source>
<translation>{record}: omitido</translation>
</message>
<message>
<source>{record}: the list of the service shows only a part of all, and not this one</source>
<translation>{record}: la lista del servicio muestra solo una parte del total, y este registro no está en ella</translation>
</message>
<message>
<source>{record}: ticked</source>
<translation>{record}: marcado</translation>
</message>
<message>
<source>{record}: whether it was done is not known</source>
<translation>{record}: no se sabe si se hizo</translation>
</message>
<message>
<source>{record}: {change}</source>
<translation>{record}: {change}</translation>
</message>
<message>
<source>{record}: {things}</source>
<translation>{record}: {things}</translation>
</message>
<message>
<source>{requests}, until {time}</source>
<translation>{requests}, hasta {time}</translation>
</message>
<message>
<source>{rows} are in {file}</source>
<translation>{file} contiene {rows}</translation>
</message>
<message>
<source>{rows}, looked up one by one</source>
<translation>{rows}, consultados uno a uno</translation>
</message>
<message>
<source>{rows}, reading: {progress}</source>
<translation>{rows}, leyendo: {progress}</translation>
</message>
<message>
<source>{rows}, {age}</source>
<translation>{rows}, {age}</translation>
</message>
<message>
<source>{said}. {note}</source>
<translation>{said}. {note}</translation>
</message>
<message>
<source>{said}; the service names {other} instead.</source>
<translation>{said}; el servicio indica {other} en su lugar.</translation>
</message>
<message>
<source>{said}; then {other} is used instead.</source>
<translation>{said}; después se usa {other} en su lugar.</translation>
</message>
<message>
<source>{said}; {other} is used instead.</source>
<translation>{said}; se usa {other} en su lugar.</translation>
</message>
<message>
<source>{sentence} {next}</source>
<comment>two sentences</comment>
<translation>{sentence} {next}</translation>
</message>
<message>
<source>{sentence} {source}</source>
<translation>{sentence} {source}</translation>
</message>
<message>
<source>{sentence}.</source>
<translation>{sentence}.</translation>
</message>
<message>
<source>{sent} of {n} sent</source>
<translation>{sent} de {n} enviados</translation>
</message>
<message numerus="yes">
<source>{sent}, {n} refused for too many requests</source>
<translation>
<numerusform>{sent}, {n} rechazada por exceso de solicitudes</numerusform>
<numerusform>{sent}, {n} rechazadas por exceso de solicitudes</numerusform>
</translation>
</message>
<message>
<source>{shop} changes other fields of it, but not this one (File &gt; Operations &gt; Fields shows which).</source>
<translation>{shop} cambia otros campos, pero no este (Archivo &gt; Operaciones &gt; Campos muestra cuáles).</translation>
</message>
<message>
<source>{shop} counts its pets by status only</source>
<translation>{shop} solo cuenta sus mascotas por estado</translation>
</message>
<message>
<source>{shop} does not offer a list that is needed to tell.</source>
<translation>{shop} no ofrece una lista necesaria para saberlo.</translation>
</message>
<message>
<source>{shop} does not offer this list</source>
<translation>{shop} no ofrece esta lista</translation>
</message>
<message>
<source>{shop} does not offer this.</source>
<translation>{shop} no ofrece esto.</translation>
</message>
<message>
<source>{shop} does not tell a field that is needed to tell.</source>
<translation>{shop} no indica un campo necesario para saberlo.</translation>
</message>
<message>
<source>{shop} has no such status. Choose one of its own in the cell.</source>
<translation>{shop} no tiene ese estado. Elija en la celda uno de los que usa.</translation>
</message>
<message>
<source>{shop} is forgotten</source>
<translation>Se ha olvidado {shop}</translation>
</message>
<message>
<source>{shop} needs attention</source>
<translation>{shop} requiere atención</translation>
</message>
<message>
<source>{shop} no longer offers this.</source>
<translation>{shop} ya no ofrece esto.</translation>
</message>
<message>
<source>{shop} — Pet Store Desktop</source>
<translation>{shop} — Pet Store Desktop</translation>
</message>
<message>
<source>{shop}, a change {waits}</source>
<translation>{shop}, un cambio {waits}</translation>
</message>
<message>
<source>{shop}, as of {time}</source>
<translation>{shop}, datos de {time}</translation>
</message>
<message>
<source>{shop}, live</source>
<translation>{shop}, en línea</translation>
</message>
<message>
<source>{shop}, never read</source>
<translation>{shop}, sin leer</translation>
</message>
<message>
<source>{shop}, no answer for {time}</source>
<translation>{shop}, sin respuesta desde hace {time}</translation>
</message>
<message>
<source>{shop}, offline since {time}</source>
<translation>{shop}, sin conexión desde {time}</translation>
</message>
<message>
<source>{shop}, printed {time}</source>
<translation>{shop}, impreso: {time}</translation>
</message>
<message>
<source>{shop}, {state}</source>
<translation>{shop}, {state}</translation>
</message>
<message>
<source>{shop}: a key is needed; unsent changes wait</source>
<translation>{shop}: hace falta una clave; los cambios sin enviar esperan</translation>
</message>
<message>
<source>{shop}: sending has stopped; unsent changes are kept</source>
<translation>{shop}: el envío se ha detenido; los cambios sin enviar se conservan</translation>
</message>
<message>
<source>{shop}: switch to another shop</source>
<translation>{shop}: cambiar a otra tienda</translation>
</message>
<message>
<source>{shop}: the file of your changes was damaged</source>
<translation>{shop}: el archivo de sus cambios estaba dañado</translation>
</message>
<message>
<source>{shop}: the key is banned for a while; unsent changes wait</source>
<translation>{shop}: la clave está suspendida por un tiempo; los cambios sin enviar esperan</translation>
</message>
<message>
<source>{shop}: your last change could not be saved</source>
<translation>{shop}: no se ha podido guardar su último cambio</translation>
</message>
<message>
<source>{shop}: {changes} unsent.</source>
<translation>{shop}: {changes} sin enviar.</translation>
</message>
<message numerus="yes">
<source>{shop}: {n} changes need attention</source>
<translation>
<numerusform>{shop}: {n} cambio requiere atención</numerusform>
<numerusform>{shop}: {n} cambios requieren atención</numerusform>
</translation>
</message>
<message>
<source>{shown} of {all}</source>
<translation>{shown} de {all}</translation>
</message>
<message>
<source>{shown} of {total}</source>
<translation>{shown} de {total}</translation>
</message>
<message>
<source>{stays}. What you did before it can still be undone:</source>
<translation>{stays}. Lo que hizo antes aún se puede deshacer:</translation>
</message>
<message>
<source>{step}, {who}</source>
<translation>{step}, {who}</translation>
</message>
<message>
<source>{text} is not a value of this column.</source>
<translation>{text} no es un valor de esta columna.</translation>
</message>
<message>
<source>{text} is not a whole number.</source>
<translation>{text} no es un número entero.</translation>
</message>
<message>
<source>{text} is not {expected}.</source>
<translation>{text} no es {expected}.</translation>
</message>
<message numerus="yes">
<source>{then} of {n} operations can be used with this choice. No longer:</source>
<translation>
<numerusform>Con esta selección se puede usar {then} de {n} operación. Ya no:</numerusform>
<numerusform>Con esta selección se pueden usar {then} de {n} operaciones. Ya no:</numerusform>
</translation>
</message>
<message>
<source>{things} are matched by {how}. Empty cells change nothing.</source>
<translation>{things}: se identifican por {how}. Las celdas vacías no cambian nada.</translation>
</message>
<message>
<source>{things} could not be read</source>
<translation>{things} no se han podido leer</translation>
</message>
<message>
<source>{things} were searched; not all are here.</source>
<translation>Se ha buscado en un total de {things}; no está todo aquí.</translation>
</message>
<message>
<source>{time} (no time zone given)</source>
<translation>{time} (sin zona horaria)</translation>
</message>
<message>
<source>{time} tomorrow</source>
<translation>mañana a las {time}</translation>
</message>
<message>
<source>{time}: {count} in stock</source>
<translation>{time}: {count} en stock</translation>
</message>
<message>
<source>{title}, {count}: {sum}</source>
<translation>{title}, {count}: {sum}</translation>
</message>
<message>
<source>{title}. {why}</source>
<translation>{title}. {why}</translation>
</message>
<message>
<source>{total}</source>
<comment>how many rows a list has</comment>
<translation>{total}</translation>
</message>
<message>
<source>{typed} is no value for a parameter; give it as NAME=VALUE</source>
<translation>{typed} no es un valor para un parámetro; indíquelo como NOMBRE=VALOR</translation>
</message>
<message>
<source>{typed}, {scans}</source>
<translation>{typed}, {scans}</translation>
</message>
<message>
<source>{url} answers.</source>
<translation>{url} responde.</translation>
</message>
<message>
<source>{url} itself was not reached.</source>
<translation>No se ha llegado a {url}.</translation>
</message>
<message>
<source>{used} of {limit}</source>
<translation>{used} de {limit}</translation>
</message>
<message>
<source>{value} is no day; give it as 2026-11-01</source>
<translation>{value} no es un día; escríbalo como 2026-11-01</translation>
</message>
<message>
<source>{value} is no time; give 12h, 7d, 2w or 2026-11-20T08:00</source>
<translation>{value} no es una hora; escriba 12h, 7d, 2w o 2026-11-20T08:00</translation>
</message>
<message>
<source>{value} is not a whole number; use digits only, such as 1000</source>
<translation>{value} no es un número entero; use solo cifras, por ejemplo 1000</translation>
</message>
<message>
<source>{value} is too large; at most {most}</source>
<translation>{value} es demasiado grande; como máximo {most}</translation>
</message>
<message>
<source>{value} would allow no request; leave the option out if it is not known</source>
<translation>{value} no permitiría ninguna solicitud; omita la opción si no se conoce el valor</translation>
</message>
<message>
<source>{value}, refused</source>
<translation>{value}, rechazado</translation>
</message>
<message>
<source>{view} ({count})</source>
<translation>{view} ({count})</translation>
</message>
<message>
<source>{view} is in {file}</source>
<translation>Guardado en {file}: {view}</translation>
</message>
<message>
<source>{view}, changed</source>
<translation>{view}, modificada</translation>
</message>
<message>
<source>{weekday} {day}</source>
<translation>{weekday} {day}</translation>
</message>
<message>
<source>{weekday} {day}</source>
<comment>Mon 16</comment>
<translation>{weekday} {day}</translation>
</message>
<message>
<source>{what} (see {program} --help)</source>
<translation>{what} (vea {program} --help)</translation>
</message>
<message>
<source>{what} ({source})</source>
<translation>{what} ({source})</translation>
</message>
<message>
<source>{what} Nothing was written.</source>
<translation>{what} No se ha escrito nada.</translation>
</message>
<message>
<source>{what} The program chooses the id: this service does not.</source>
<translation>{what} El programa elige el id: este servicio no lo hace.</translation>
</message>
<message>
<source>{what} The program chooses the ids: this service does not.</source>
<translation>{what} El programa elige los ids: este servicio no lo hace.</translation>
</message>
<message>
<source>{what} ends on {day}, {left}</source>
<translation>{what}: termina el {day}, {left}</translation>
</message>
<message>
<source>{what} ends on {day}, {left}; {other} is used instead</source>
<translation>{what}: termina el {day}, {left}; se usa {other} en su lugar</translation>
</message>
<message>
<source>{what} is complete.</source>
<translation>{what} está completado.</translation>
</message>
<message>
<source>{what} is complete. Its ship date is {day}.</source>
<translation>{what} está completado. Su fecha de envío es el {day}.</translation>
</message>
<message>
<source>{what} is due on {day}. It is not fulfilled yet.</source>
<translation>{what} debe enviarse el {day}. Aún no se ha servido.</translation>
</message>
<message>
<source>{what} is due today. It is not fulfilled yet.</source>
<translation>{what} debe enviarse hoy. Aún no se ha servido.</translation>
</message>
<message>
<source>{what} is due tomorrow. It is not fulfilled yet.</source>
<translation>{what} debe enviarse mañana. Aún no se ha servido.</translation>
</message>
<message>
<source>{what} is known, but the service does not give its state.</source>
<translation>{what} consta, pero el servicio no indica su situación.</translation>
</message>
<message>
<source>{what} is not fulfilled yet. The service gives no ship date.</source>
<translation>{what} aún no se ha servido. El servicio no indica fecha de envío.</translation>
</message>
<message>
<source>{what} is {said}, says the service.</source>
<translation>{what} está {said}, según el servicio.</translation>
</message>
<message>
<source>{what} was due on {day}. It is not fulfilled yet and is {late}.</source>
<translation>{what} debía enviarse el {day}. Aún no se ha servido y lleva {late}.</translation>
</message>
<message>
<source>{what}, saved on this computer</source>
<translation>{what}, a salvo en este equipo</translation>
</message>
<message>
<source>{what}, sent</source>
<translation>{what}, ya en el servicio</translation>
</message>
<message>
<source>{what}, {pets}</source>
<translation>{what}, {pets}</translation>
</message>
<message>
<source>{what}, {pets}, begun {time}</source>
<translation>{what}, {pets}, inicio: {time}</translation>
</message>
<message>
<source>{what}, {pets}, closed {time}</source>
<translation>{what}, {pets}, cierre: {time}</translation>
</message>
<message>
<source>{what}: from {before} to {after}</source>
<translation>{what}: de {before} a {after}</translation>
</message>
<message>
<source>{what}: {before}, then {after}</source>
<translation>{what}: {before}, luego {after}</translation>
</message>
<message>
<source>{what}: {value}</source>
<translation>{what}: {value}</translation>
</message>
<message>
<source>{which}: {why}</source>
<translation>{which}: {why}</translation>
</message>
<message>
<source>{why} Until then this filter hides nothing.</source>
<translation>{why} Hasta entonces, este filtro no oculta nada.</translation>
</message>
<message>
<source>{words} New: {news}</source>
<translation>{words} Novedades: {news}</translation>
</message>
<message>
<source>{words} {status}</source>
<comment>a status in words and its number</comment>
<translation>{words} {status}</translation>
</message>
<message>
<source>{words}, {time}</source>
<translation>{words}, {time}</translation>
</message>
<message>
<source>“{text}”</source>
<translation>«{text}»</translation>
</message>
<message>
<source>“{words}”</source>
<translation>«{words}»</translation>
</message>
<message numerus="yes">
<source>−{n} pieces</source>
<translation>
<numerusform>−{n} unidad</numerusform>
<numerusform>−{n} unidades</numerusform>
</translation>
</message>
<message>
<source>≈ does not count others with the same key.</source>
<translation>≈ no cuenta a otros con la misma clave.</translation>
</message>
<message numerus="yes">
<source>≈ {n} days left</source>
<translation>
<numerusform>queda ≈ {n} día</numerusform>
<numerusform>quedan ≈ {n} días</numerusform>
</translation>
</message>
</context>
</TS>
