<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="ar" sourcelanguage="en">
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
<translation>!كوي  من دونها      =كوي  تمامًا      "كلمتان متتاليتان"</translation>
</message>
<message>
<source>#1234  by its id</source>
<translation>#1234  حسب المعرّف</translation>
</message>
<message>
<source>&amp;About Pet Store Desktop</source>
<translation>&amp;حول Pet Store Desktop</translation>
</message>
<message>
<source>&amp;Activity</source>
<translation>ال&amp;نشاط</translation>
</message>
<message>
<source>&amp;Back</source>
<translation>&amp;رجوع</translation>
</message>
<message>
<source>&amp;Categories</source>
<translation>ال&amp;فئات</translation>
</message>
<message>
<source>&amp;Columns</source>
<translation>&amp;الأعمدة</translation>
</message>
<message>
<source>&amp;Compare two days</source>
<translation>&amp;مقارنة يومين</translation>
</message>
<message>
<source>&amp;Copy</source>
<translation>&amp;نسخ</translation>
</message>
<message>
<source>&amp;Copy as picture and numbers</source>
<translation>&amp;نسخ كصورة وأرقام</translation>
</message>
<message>
<source>&amp;Copy diagnostics</source>
<translation>&amp;نسخ معلومات التشخيص</translation>
</message>
<message>
<source>&amp;Delete</source>
<translation>&amp;حذف</translation>
</message>
<message>
<source>&amp;Delete this view</source>
<translation>&amp;حذف طريقة العرض هذه</translation>
</message>
<message>
<source>&amp;Details</source>
<translation>التف&amp;اصيل</translation>
</message>
<message>
<source>&amp;Edit</source>
<translation>&amp;تحرير</translation>
</message>
<message>
<source>&amp;Edit value</source>
<translation>&amp;تحرير القيمة</translation>
</message>
<message>
<source>&amp;Edit…</source>
<translation>تح&amp;رير…</translation>
</message>
<message>
<source>&amp;Export this list…</source>
<translation>ت&amp;صدير هذه القائمة…</translation>
</message>
<message>
<source>&amp;Export views…</source>
<translation>ت&amp;صدير طرق العرض…</translation>
</message>
<message>
<source>&amp;File</source>
<translation>&amp;ملف</translation>
</message>
<message>
<source>&amp;Filter</source>
<translation>تصف&amp;ية</translation>
</message>
<message>
<source>&amp;Fit columns</source>
<translation>&amp;ملاءمة الأعمدة</translation>
</message>
<message>
<source>&amp;Forward</source>
<translation>&amp;تقدم</translation>
</message>
<message>
<source>&amp;Go to its pet</source>
<translation>الانتقال إلى ال&amp;حيوان</translation>
</message>
<message>
<source>&amp;Help</source>
<translation>تع&amp;ليمات</translation>
</message>
<message>
<source>&amp;History</source>
<translation>ال&amp;محفوظات</translation>
</message>
<message>
<source>&amp;Import views…</source>
<translation>استي&amp;راد طرق العرض…</translation>
</message>
<message>
<source>&amp;Inventory</source>
<translation>المخ&amp;زون</translation>
</message>
<message>
<source>&amp;Keys and marks</source>
<translation>&amp;مفاتيح الاختصار والعلامات</translation>
</message>
<message>
<source>&amp;Labels of what was counted…</source>
<translation>مل&amp;صقات ما تم عدّه…</translation>
</message>
<message>
<source>&amp;Leave out or include</source>
<translation>ا&amp;ستبعاد أو تضمين</translation>
</message>
<message>
<source>&amp;Manual</source>
<translation>ال&amp;دليل</translation>
</message>
<message>
<source>&amp;Mark complete</source>
<translation>تعيين كم&amp;كتملة</translation>
</message>
<message>
<source>&amp;Minimum stock…</source>
<translation>الحد الأ&amp;دنى للمخزون…</translation>
</message>
<message>
<source>&amp;Next tab</source>
<translation>التب&amp;ويب التالي</translation>
</message>
<message>
<source>&amp;Note…</source>
<translation>م&amp;لاحظة…</translation>
</message>
<message>
<source>&amp;Open this count again</source>
<translation>إ&amp;عادة فتح هذا الجرد</translation>
</message>
<message>
<source>&amp;Operations…</source>
<translation>ال&amp;عمليات…</translation>
</message>
<message>
<source>&amp;Orders</source>
<translation>الطل&amp;بيات</translation>
</message>
<message>
<source>&amp;Paste</source>
<translation>&amp;لصق</translation>
</message>
<message>
<source>&amp;Pets</source>
<translation>ال&amp;حيوانات</translation>
</message>
<message>
<source>&amp;Put away</source>
<translation>إ&amp;خفاء</translation>
</message>
<message>
<source>&amp;Quit</source>
<translation>&amp;خروج</translation>
</message>
<message>
<source>&amp;Redo</source>
<translation>إ&amp;عادة</translation>
</message>
<message>
<source>&amp;Redo {what}</source>
<translation>إ&amp;عادة: {what}</translation>
</message>
<message>
<source>&amp;Rename this view…</source>
<translation>إعادة تس&amp;مية طريقة العرض هذه…</translation>
</message>
<message>
<source>&amp;Report…</source>
<translation>تق&amp;رير…</translation>
</message>
<message>
<source>&amp;Reset columns</source>
<translation>إعادة تعيين الأ&amp;عمدة</translation>
</message>
<message>
<source>&amp;Save view…</source>
<translation>ح&amp;فظ طريقة العرض…</translation>
</message>
<message>
<source>&amp;Shop</source>
<translation>المت&amp;جر</translation>
</message>
<message>
<source>&amp;Show them</source>
<translation>إ&amp;ظهارها</translation>
</message>
<message>
<source>&amp;Show these rows</source>
<translation>إ&amp;ظهار هذه الصفوف</translation>
</message>
<message>
<source>&amp;Today</source>
<translation>ال&amp;يوم</translation>
</message>
<message>
<source>&amp;Undo</source>
<translation>&amp;تراجع</translation>
</message>
<message>
<source>&amp;Undo {what}</source>
<translation>&amp;تراجع: {what}</translation>
</message>
<message>
<source>&amp;Undo…</source>
<translation>&amp;تراجع…</translation>
</message>
<message>
<source>&amp;View</source>
<translation>&amp;عرض</translation>
</message>
<message>
<source>(empty)</source>
<translation>(فارغة)</translation>
</message>
<message>
<source>(no name)</source>
<translation>(بلا اسم)</translation>
</message>
<message>
<source>*</source>
<comment>marks a date without time zone</comment>
<translation>*</translation>
</message>
<message>
<source>+1 adds, −1 subtracts, 2 sets</source>
<translation>‏‎+1 يضيف، ‎−1 يطرح، 2 يعيّن</translation>
</message>
<message>
<source>+12 adds, −3 subtracts, 40 or =40 sets</source>
<translation>‏‎+12 يضيف، ‎−3 يطرح، 40 أو ‎=40 يعيّن</translation>
</message>
<message>
<source>+N books in, -N out, and =N counts; N in digits only</source>
<translation>+N إدخال و-N إخراج و=N جرد؛ N بالأرقام فقط</translation>
</message>
<message numerus="yes">
<source>+{n} pieces</source>
<translation>
<numerusform>+{n} وحدة</numerusform>
<numerusform>+{n} وحدة</numerusform>
<numerusform>+{n} وحدة</numerusform>
<numerusform>+{n} وحدات</numerusform>
<numerusform>+{n} وحدة</numerusform>
<numerusform>+{n} وحدة</numerusform>
</translation>
</message>
<message>
<source>, </source>
<translation>، </translation>
</message>
<message>
<source>, </source>
<comment>between names</comment>
<translation>، </translation>
</message>
<message>
<source>, </source>
<comment>between parts of a line</comment>
<translation>، </translation>
</message>
<message>
<source>--yes would be refused: {why}</source>
<translation>سيُرفض ‎--yes: {why}</translation>
</message>
<message>
<source>0 requests</source>
<translation>لا طلبات</translation>
</message>
<message>
<source>1 or 2 requests each. Ctrl+Z undoes it; of a deleted order, only until it is sent.</source>
<translation>طلب واحد أو طلبان لكل منها. يتراجع Ctrl+Z عن ذلك؛ أما الطلبية المحذوفة فإلى أن يُرسل الحذف فقط.</translation>
</message>
<message>
<source>1 request</source>
<translation>طلب واحد</translation>
</message>
<message>
<source>5   !5   10|12</source>
<translation>‏‎5   !5   10|12</translation>
</message>
<message>
<source>; </source>
<comment>between names that have commas</comment>
<translation>؛ </translation>
</message>
<message>
<source>=  empty      !=  not empty</source>
<translation>=  فارغ      ‎!=‎  غير فارغ</translation>
</message>
<message>
<source>= {result}</source>
<translation>= {result}</translation>
</message>
<message>
<source>&gt;10   &gt;=10   &lt;{n}   10..20</source>
<translation>‏‎&gt;10   &gt;=10   &lt;{n}   10..20</translation>
</message>
<message>
<source>?</source>
<comment>in place of the name of a record that is not there</comment>
<translation>؟</translation>
</message>
<message>
<source>A cell of the row that begins in line {n} has no end, or is too long. A quotation mark may be missing. Nothing was imported.</source>
<translation>خلية في الصف الذي يبدأ في السطر {n} لا نهاية لها أو أطول من اللازم. ربما تنقص علامة اقتباس. لم يُستورد شيء.</translation>
</message>
<message>
<source>A change belongs to the day on which it was first seen. What changed and changed back is not counted.</source>
<translation>يُنسب التغيير إلى اليوم الذي رُصد فيه أول مرة. ولا يُحسب ما تغيّر ثم عاد.</translation>
</message>
<message>
<source>A code is remembered when you scan it and choose its pet. Our own labels and ids need none of this.</source>
<translation>يُحفظ الرمز عندما تمسحه وتختار حيوانه. أما ملصقاتنا ومعرّفاتنا فلا تحتاج إلى ذلك.</translation>
</message>
<message>
<source>A damaged file was set aside: {file}.</source>
<translation>نُحّي ملف تالف: {file}.</translation>
</message>
<message>
<source>A day, such as {example} or tomorrow; the time stays</source>
<translation>يوم، مثل {example} أو «غدًا»؛ ويبقى الوقت</translation>
</message>
<message>
<source>A few words; may be empty.</source>
<translation>بضع كلمات؛ ويمكن تركه فارغًا.</translation>
</message>
<message>
<source>A field that is needed to tell is a guess by its name. Choose its name first (File &gt; Operations &gt; Fields).</source>
<translation>أحد الحقول اللازمة لمعرفة ذلك تخمين بحسب اسمه. اختر اسمه أولًا (ملف &gt; العمليات &gt; الحقول).</translation>
</message>
<message>
<source>A file of the program</source>
<translation>أحد ملفات البرنامج</translation>
</message>
<message>
<source>A file or an address, if the service publishes none.</source>
<translation>ملف أو عنوان، إذا كانت الخدمة لا تنشر مستندًا.</translation>
</message>
<message>
<source>A file with certificates that are trusted for this shop beside the system’s.</source>
<translation>ملف بشهادات يُوثق بها لهذا المتجر إلى جانب شهادات النظام.</translation>
</message>
<message>
<source>A file, an address, or a profile’s name, such as rails. Empty: the one that the service publishes.</source>
<translation>ملف أو عنوان أو اسم ملف تعريف، مثل rails. إذا تُرك فارغًا: المستند الذي تنشره الخدمة.</translation>
</message>
<message>
<source>A key that you enter is held in memory for this run, and is in no file.</source>
<translation>المفتاح الذي تدخله يبقى في الذاكرة لهذا التشغيل، ولا يُحفظ في أي ملف.</translation>
</message>
<message>
<source>A network folder can lose saved changes, and two computers can use the same files at once.</source>
<translation>قد يفقد مجلد الشبكة تغييرات محفوظة، وقد يستخدم جهازا كمبيوتر الملفات نفسها في وقت واحد.</translation>
</message>
<message>
<source>A new pet has no stock entry yet: leave this cell empty.</source>
<translation>ليس للحيوان الجديد قيد مخزون بعد: اترك هذه الخلية فارغة.</translation>
</message>
<message>
<source>A pasted line was left out: {line}</source>
<translation>استُبعد سطر ملصوق: {line}</translation>
</message>
<message>
<source>A pause or a ban by the service stays until it is over.</source>
<translation>يبقى الإيقاف المؤقت أو الحظر من الخدمة ساريًا إلى أن ينتهي.</translation>
</message>
<message>
<source>A pet belongs to a category: add the first one here.</source>
<translation>ينتمي الحيوان إلى فئة: أضف أول فئة هنا.</translation>
</message>
<message>
<source>A proxy or a sign-in page may stand in between: open the address in a browser to see what answers.</source>
<translation>قد يعترض الطريق خادم وكيل أو صفحة تسجيل دخول: افتح العنوان في متصفح لترى ما الذي يرد.</translation>
</message>
<message>
<source>A scan adds 1; a number and Enter sets how many. Ctrl+Z takes the last one back.</source>
<translation>المسح يضيف واحدًا؛ وكتابة عدد ثم Enter تعيّن الكمية. ويتراجع Ctrl+Z عن الأخير.</translation>
</message>
<message>
<source>A scan adds 1; a number and Enter sets it.
The next scan commits.</source>
<translation>المسح يضيف واحدًا؛ وكتابة عدد ثم Enter تعيّن الكمية.
والمسح التالي يثبّتها.</translation>
</message>
<message>
<source>A scanner works wherever you are: its pet’s stock opens for the number.</source>
<translation>الماسح يعمل أينما كنت: يُفتح مخزون الحيوان لإدخال العدد.</translation>
</message>
<message>
<source>A spreadsheet rounded this number. Format the column as text, and enter it again.</source>
<translation>قرّب برنامج جداول بيانات هذا الرقم. نسّق العمود كنص، وأدخله مرة أخرى.</translation>
</message>
<message>
<source>A stock entry comes with its pet: add the pet.</source>
<translation>يُنشأ قيد المخزون مع حيوانه: أضف الحيوان.</translation>
</message>
<message>
<source>A stock is low when it is at or below its minimum; without one, nothing is ever low.</source>
<translation>يكون المخزون منخفضًا عند حده الأدنى أو دونه؛ ومن دون حد لا يكون منخفضًا أبدًا.</translation>
</message>
<message>
<source>A web page came back instead of data.</source>
<translation>وصلت صفحة ويب بدلًا من البيانات.</translation>
</message>
<message>
<source>A whole shop, kept on this computer: searched as you type, offline too.</source>
<translation>متجر كامل محفوظ على هذا الكمبيوتر: يُبحث فيه أثناء الكتابة، ودون اتصال أيضًا.</translation>
</message>
<message>
<source>A window of its own opens, on a copy of {shop} as it is here. Nothing in it reaches the shop.</source>
<translation>تُفتح نافذة مستقلة على نسخة من {shop} كما هو هنا. ولا يصل منها شيء إلى المتجر.</translation>
</message>
<message>
<source>About Pet Store Desktop</source>
<translation>حول Pet Store Desktop</translation>
</message>
<message>
<source>Activity</source>
<translation>النشاط</translation>
</message>
<message>
<source>Add a byte order mark, so that Excel reads UTF-8</source>
<translation>إضافة علامة ترتيب البايتات، كي يقرأ Excel ترميز UTF-8</translation>
</message>
<message>
<source>Add a category</source>
<translation>إضافة فئة</translation>
</message>
<message>
<source>Add a pet</source>
<translation>إضافة حيوان</translation>
</message>
<message>
<source>Add an order</source>
<translation>إضافة طلبية</translation>
</message>
<message>
<source>Add category</source>
<translation>إضافة فئة</translation>
</message>
<message>
<source>Add pets</source>
<translation>إضافة حيوانات</translation>
</message>
<message numerus="yes">
<source>Add them</source>
<translation>
<numerusform>إضافتها</numerusform>
<numerusform>إضافتها</numerusform>
<numerusform>إضافتهما</numerusform>
<numerusform>إضافتها</numerusform>
<numerusform>إضافتها</numerusform>
<numerusform>إضافتها</numerusform>
</translation>
</message>
<message numerus="yes">
<source>Add them again</source>
<translation>
<numerusform>إضافتها من جديد</numerusform>
<numerusform>إضافته من جديد</numerusform>
<numerusform>إضافتهما من جديد</numerusform>
<numerusform>إضافتها من جديد</numerusform>
<numerusform>إضافتها من جديد</numerusform>
<numerusform>إضافتها من جديد</numerusform>
</translation>
</message>
<message numerus="yes">
<source>Add {n}</source>
<translation>
<numerusform>إضافة ({n})</numerusform>
<numerusform>إضافة ({n})</numerusform>
<numerusform>إضافة ({n})</numerusform>
<numerusform>إضافة ({n})</numerusform>
<numerusform>إضافة ({n})</numerusform>
<numerusform>إضافة ({n})</numerusform>
</translation>
</message>
<message numerus="yes">
<source>Add {n} pets</source>
<translation>
<numerusform>إضافة حيوانات</numerusform>
<numerusform>إضافة حيوان واحد</numerusform>
<numerusform>إضافة حيوانين</numerusform>
<numerusform>إضافة {n} حيوانات</numerusform>
<numerusform>إضافة {n} حيوانًا</numerusform>
<numerusform>إضافة {n} حيوان</numerusform>
</translation>
</message>
<message>
<source>Add {things}</source>
<translation>إضافة: {things}</translation>
</message>
<message>
<source>Adding categories</source>
<translation>إضافة الفئات</translation>
</message>
<message>
<source>Adding orders</source>
<translation>إضافة الطلبيات</translation>
</message>
<message>
<source>Adding pets</source>
<translation>إضافة الحيوانات</translation>
</message>
<message>
<source>Address</source>
<translation>العنوان</translation>
</message>
<message>
<source>Address of the service</source>
<translation>عنوان الخدمة</translation>
</message>
<message>
<source>After each code</source>
<translation>بعد كل رمز</translation>
</message>
<message>
<source>All</source>
<translation>الكل</translation>
</message>
<message>
<source>All categories</source>
<translation>كل الفئات</translation>
</message>
<message>
<source>All files (*)</source>
<translation>كل الملفات (*)</translation>
</message>
<message>
<source>All in Activity</source>
<translation>الكل في النشاط</translation>
</message>
<message>
<source>All orders</source>
<translation>كل الطلبيات</translation>
</message>
<message>
<source>All other settings and connections are used. The data of your shops is still here.</source>
<translation>تُستخدم كل الإعدادات والاتصالات الأخرى. وما زالت بيانات متاجرك موجودة هنا.</translation>
</message>
<message>
<source>All others are shown.</source>
<translation>تظهر السجلات الأخرى كلها.</translation>
</message>
<message>
<source>All pets</source>
<translation>كل الحيوانات</translation>
</message>
<message>
<source>All sent, and undone since.</source>
<translation>أُرسل كله، ثم تم التراجع عنه.</translation>
</message>
<message>
<source>All stock</source>
<translation>كل المخزون</translation>
</message>
<message>
<source>All stock has a pet</source>
<translation>لكل مخزون حيوان</translation>
</message>
<message>
<source>All this is in this file, and the same beside it as JSON:</source>
<translation>كل ذلك في هذا الملف، ومثله إلى جانبه بصيغة JSON:</translation>
</message>
<message>
<source>All this is written to a file in {folder} first.</source>
<translation>يُكتب كل ذلك أولًا في ملف في {folder}.</translation>
</message>
<message>
<source>All times shown are this computer’s.</source>
<translation>كل الأوقات المعروضة بتوقيت هذا الكمبيوتر.</translation>
</message>
<message>
<source>All undone, never sent.</source>
<translation>تم التراجع عنه كله، ولم يُرسل قط.</translation>
</message>
<message numerus="yes">
<source>All undone: {sent} after they were sent, {n} before.</source>
<translation>
<numerusform>تم التراجع عن الكل: {sent} بعد الإرسال، و{n} قبله.</numerusform>
<numerusform>تم التراجع عن الكل: {sent} بعد الإرسال، و{n} قبله.</numerusform>
<numerusform>تم التراجع عن الكل: {sent} بعد الإرسال، و{n} قبله.</numerusform>
<numerusform>تم التراجع عن الكل: {sent} بعد الإرسال، و{n} قبله.</numerusform>
<numerusform>تم التراجع عن الكل: {sent} بعد الإرسال، و{n} قبله.</numerusform>
<numerusform>تم التراجع عن الكل: {sent} بعد الإرسال، و{n} قبله.</numerusform>
</translation>
</message>
<message>
<source>All your changes there are sent.</source>
<translation>أُرسلت كل تغييراتك هناك.</translation>
</message>
<message>
<source>All {things} were searched.</source>
<translation>شمل البحث: {things}.</translation>
</message>
<message>
<source>All: {rows}</source>
<translation>الكل: {rows}</translation>
</message>
<message>
<source>Already has this value: costs nothing</source>
<translation>له هذه القيمة بالفعل: لا يكلف شيئًا</translation>
</message>
<message>
<source>Amber</source>
<translation>كهرماني</translation>
</message>
<message>
<source>An order stays with its pet.</source>
<translation>تبقى الطلبية لحيوانها.</translation>
</message>
<message>
<source>Animations</source>
<translation>الحركات</translation>
</message>
<message>
<source>Another connection has this name; choose another.</source>
<translation>لاتصال آخر هذا الاسم؛ اختر اسمًا آخر.</translation>
</message>
<message>
<source>Another value</source>
<translation>قيمة أخرى</translation>
</message>
<message>
<source>Another window uses this data folder.</source>
<translation>نافذة أخرى تستخدم مجلد البيانات هذا.</translation>
</message>
<message>
<source>Answer</source>
<translation>الرد</translation>
</message>
<message>
<source>Any day</source>
<translation>أي يوم</translation>
</message>
<message>
<source>Any status</source>
<translation>أي حالة</translation>
</message>
<message>
<source>As here: {limits}</source>
<translation>كما هنا: {limits}</translation>
</message>
<message>
<source>As many as in stock</source>
<translation>بعدد الموجود في المخزون</translation>
</message>
<message>
<source>As many as received</source>
<translation>بعدد المستلم</translation>
</message>
<message>
<source>As seen {time}</source>
<translation>كما رُصدت: {time}</translation>
</message>
<message>
<source>Ask once a week</source>
<translation>التحقق مرة في الأسبوع</translation>
</message>
<message>
<source>Ask the proxy’s administrator which certificate it needs.</source>
<translation>اسأل مسؤول الخادم الوكيل عن الشهادة المطلوبة.</translation>
</message>
<message>
<source>Ask the proxy’s administrator, or exclude this service (NO_PROXY).</source>
<translation>اسأل مسؤول الخادم الوكيل، أو استثنِ هذه الخدمة (NO_PROXY).</translation>
</message>
<message>
<source>Ask the proxy’s administrator.</source>
<translation>اسأل مسؤول الخادم الوكيل.</translation>
</message>
<message>
<source>Ask the service’s provider for a newer one, or choose another document.</source>
<translation>اطلب مستندًا أحدث من مزوّد الخدمة، أو اختر مستندًا آخر.</translation>
</message>
<message>
<source>Ask the service’s provider for the permission, or use another key.</source>
<translation>اطلب الإذن من مزوّد الخدمة، أو استخدم مفتاحًا آخر.</translation>
</message>
<message>
<source>Ask the service’s provider to allow it, or use another key.</source>
<translation>اطلب من مزوّد الخدمة السماح بذلك، أو استخدم مفتاحًا آخر.</translation>
</message>
<message>
<source>Ask the service’s provider to let this key read, or use another key.</source>
<translation>اطلب من مزوّد الخدمة السماح لهذا المفتاح بالقراءة، أو استخدم مفتاحًا آخر.</translation>
</message>
<message>
<source>Ask the service’s provider.</source>
<translation>اسأل مزوّد الخدمة.</translation>
</message>
<message>
<source>Ask the service’s provider. If it is a mistake, end the pause in the window: Shop &gt; Resume now. A key that resumes too early may be banned.</source>
<translation>اسأل مزوّد الخدمة. وإذا كان ذلك خطأ، فأنهِ الإيقاف المؤقت في النافذة: المتجر &gt; استئناف الآن. وقد يُحظر المفتاح الذي يستأنف قبل الأوان.</translation>
</message>
<message>
<source>Asking the service…</source>
<translation>جارٍ سؤال الخدمة…</translation>
</message>
<message numerus="yes">
<source>At least {n}: there may be more that were not read</source>
<translation>
<numerusform>{n} على الأقل: قد يوجد المزيد مما لم يُقرأ</numerusform>
<numerusform>{n} على الأقل: قد يوجد المزيد مما لم يُقرأ</numerusform>
<numerusform>{n} على الأقل: قد يوجد المزيد مما لم يُقرأ</numerusform>
<numerusform>{n} على الأقل: قد يوجد المزيد مما لم يُقرأ</numerusform>
<numerusform>{n} على الأقل: قد يوجد المزيد مما لم يُقرأ</numerusform>
<numerusform>{n} على الأقل: قد يوجد المزيد مما لم يُقرأ</numerusform>
</translation>
</message>
<message>
<source>At most {n} cells can be changed at once.</source>
<translation>لا يمكن تغيير أكثر من {n} خلية دفعة واحدة.</translation>
</message>
<message>
<source>At this address the service has no such list: {said}.</source>
<translation>لا توجد لدى الخدمة قائمة كهذه في هذا العنوان: {said}.</translation>
</message>
<message>
<source>Automatic</source>
<translation>تلقائي</translation>
</message>
<message>
<source>Automatic ({endpoint})</source>
<translation>تلقائي ({endpoint})</translation>
</message>
<message>
<source>Automatic ({name})</source>
<translation>تلقائي ({name})</translation>
</message>
<message>
<source>Back</source>
<translation>رجوع</translation>
</message>
<message>
<source>Bar code scanner</source>
<translation>ماسح الرموز الشريطية</translation>
</message>
<message>
<source>Bar codes</source>
<translation>الرموز الشريطية</translation>
</message>
<message>
<source>Bar codes (*.json)</source>
<translation>الرموز الشريطية (*.json)</translation>
</message>
<message>
<source>Bar codes…</source>
<translation>الرموز الشريطية…</translation>
</message>
<message>
<source>Bar |</source>
<translation>خط عمودي |</translation>
</message>
<message>
<source>Bars of {width} mm: hard to scan. Choose QR, or larger labels.</source>
<translation>خطوط بعرض {width} مم: يصعب مسحها. اختر QR، أو ملصقات أكبر.</translation>
</message>
<message>
<source>Bars of {width} mm: safe for hand scanners</source>
<translation>خطوط بعرض {width} مم: مناسبة للماسحات اليدوية</translation>
</message>
<message>
<source>Batch</source>
<translation>الدفعة</translation>
</message>
<message>
<source>Beep</source>
<translation>صفير</translation>
</message>
<message>
<source>Before</source>
<translation>السابق</translation>
</message>
<message>
<source>Before each code</source>
<translation>قبل كل رمز</translation>
</message>
<message>
<source>Before: {day}</source>
<translation>قبل: {day}</translation>
</message>
<message>
<source>Begun {began}, closed {ended}.</source>
<translation>بدأ: {began}، أُغلق: {ended}.</translation>
</message>
<message>
<source>Begun {time}.</source>
<translation>بدأ: {time}.</translation>
</message>
<message>
<source>Below zero</source>
<translation>دون الصفر</translation>
</message>
<message>
<source>Big5, Chinese</source>
<translation>الصينية (Big5)</translation>
</message>
<message>
<source>Blind count</source>
<translation>جرد أعمى</translation>
</message>
<message>
<source>Blue</source>
<translation>أزرق</translation>
</message>
<message>
<source>Book</source>
<translation>ترحيل</translation>
</message>
<message>
<source>Book the count</source>
<translation>ترحيل الجرد</translation>
</message>
<message>
<source>Book the count: {what}</source>
<translation>ترحيل الجرد: {what}</translation>
</message>
<message numerus="yes">
<source>Book {n} lines</source>
<translation>
<numerusform>ترحيل</numerusform>
<numerusform>ترحيل سطر واحد</numerusform>
<numerusform>ترحيل سطرين</numerusform>
<numerusform>ترحيل {n} أسطر</numerusform>
<numerusform>ترحيل {n} سطرًا</numerusform>
<numerusform>ترحيل {n} سطر</numerusform>
</translation>
</message>
<message>
<source>Booked</source>
<translation>الترحيل</translation>
</message>
<message>
<source>Booked in or out</source>
<translation>الكمية الداخلة أو الخارجة</translation>
</message>
<message>
<source>Browse…</source>
<translation>استعراض…</translation>
</message>
<message>
<source>Built with</source>
<translation>بُنيت باستخدام</translation>
</message>
<message>
<source>By</source>
<translation>المصدر</translation>
</message>
<message>
<source>C&amp;hanges</source>
<translation>الت&amp;غييرات</translation>
</message>
<message>
<source>C&amp;heck the connection…</source>
<translation>فحص ا&amp;لاتصال…</translation>
</message>
<message>
<source>C&amp;hoose a view…</source>
<translation>ا&amp;ختيار طريقة عرض…</translation>
</message>
<message>
<source>C&amp;lear filter</source>
<translation>إز&amp;الة عامل التصفية</translation>
</message>
<message>
<source>CA file (optional)</source>
<translation>ملف CA (اختياري)</translation>
</message>
<message>
<source>Cancel</source>
<translation>إلغاء</translation>
</message>
<message>
<source>Cancel an order</source>
<translation>إلغاء طلبية</translation>
</message>
<message>
<source>Cancel or&amp;der…</source>
<translation>إلغ&amp;اء الطلبية…</translation>
</message>
<message>
<source>Cancelling orders</source>
<translation>إلغاء الطلبيات</translation>
</message>
<message>
<source>Cannot be redone: {what} ({why})</source>
<translation>لا تمكن الإعادة: {what} ({why})</translation>
</message>
<message>
<source>Cannot be undone: {what} ({why})</source>
<translation>لا يمكن التراجع: {what} ({why})</translation>
</message>
<message>
<source>Categories</source>
<translation>الفئات</translation>
</message>
<message>
<source>Categories changed today</source>
<translation>فئات تغيّرت اليوم</translation>
</message>
<message>
<source>Categories that need attention</source>
<translation>فئات تتطلب الانتباه</translation>
</message>
<message>
<source>Category</source>
<translation>الفئة</translation>
</message>
<message>
<source>Category id</source>
<translation>معرّف الفئة</translation>
</message>
<message>
<source>Certificate</source>
<translation>الشهادة</translation>
</message>
<message>
<source>Certificates</source>
<translation>الشهادات</translation>
</message>
<message>
<source>Certificates (*.pem *.crt *.cer)</source>
<translation>الشهادات (*.pem *.crt *.cer)</translation>
</message>
<message>
<source>Certificates to trust, if your company signs its own.</source>
<translation>شهادات يُوثق بها، إذا كانت شركتك توقّع شهاداتها بنفسها.</translation>
</message>
<message>
<source>Change</source>
<translation>التغيير</translation>
</message>
<message>
<source>Change &amp;key…</source>
<translation>تغ&amp;يير المفتاح…</translation>
</message>
<message>
<source>Change a category</source>
<translation>تغيير فئة</translation>
</message>
<message>
<source>Change a pet</source>
<translation>تغيير حيوان</translation>
</message>
<message>
<source>Change an order</source>
<translation>تغيير طلبية</translation>
</message>
<message>
<source>Change it and send it again, or discard it.</source>
<translation>غيّره وأعد إرساله، أو تجاهله.</translation>
</message>
<message>
<source>Change key…</source>
<translation>تغيير المفتاح…</translation>
</message>
<message>
<source>Change stock</source>
<translation>تغيير مخزون</translation>
</message>
<message>
<source>Change the category of {things}</source>
<translation>تغيير الفئة: {things}</translation>
</message>
<message>
<source>Change the description of {things}</source>
<translation>تغيير الوصف: {things}</translation>
</message>
<message>
<source>Change the line, or choose another profile. The manual says what one may say.</source>
<translation>غيّر السطر، أو اختر ملف تعريف آخر. يوضح الدليل ما يمكن أن يحتويه.</translation>
</message>
<message>
<source>Change the quantity of {things}</source>
<translation>تغيير الكمية: {things}</translation>
</message>
<message>
<source>Change the ship date of {things}</source>
<translation>تغيير تاريخ الشحن: {things}</translation>
</message>
<message>
<source>Change the state of {things}</source>
<translation>تغيير الوضع: {things}</translation>
</message>
<message>
<source>Change the status of {things}</source>
<translation>تغيير الحالة: {things}</translation>
</message>
<message>
<source>Change the stock of {things}</source>
<translation>تغيير المخزون: {things}</translation>
</message>
<message>
<source>Change this size…</source>
<translation>تغيير هذا المقاس…</translation>
</message>
<message numerus="yes">
<source>Change {n}</source>
<translation>
<numerusform>تغيير ({n})</numerusform>
<numerusform>تغيير ({n})</numerusform>
<numerusform>تغيير ({n})</numerusform>
<numerusform>تغيير ({n})</numerusform>
<numerusform>تغيير ({n})</numerusform>
<numerusform>تغيير ({n})</numerusform>
</translation>
</message>
<message>
<source>Change {things}</source>
<translation>تغيير: {things}</translation>
</message>
<message>
<source>Changed about when it was counted: recount or decide</source>
<translation>تغيّر قرب وقت عدّه: أعد العدّ أو قرّر</translation>
</message>
<message>
<source>Changed between {since} and {time}</source>
<translation>تغيّر بين {since} و{time}</translation>
</message>
<message>
<source>Changed elsewhere meanwhile: {theirs}. Nothing was overwritten.</source>
<translation>تغيّر في مكان آخر في هذه الأثناء: {theirs}. ولم يُستبدل أي شيء.</translation>
</message>
<message>
<source>Changed meanwhile: left out</source>
<translation>تغيّر في هذه الأثناء: مستبعد</translation>
</message>
<message>
<source>Changed on this computer since it was counted: recount or decide</source>
<translation>تغيّر على هذا الكمبيوتر بعد عدّه: أعد العدّ أو قرّر</translation>
</message>
<message>
<source>Changed on this computer since: recount or decide</source>
<translation>تغيّر على هذا الكمبيوتر منذ ذلك الحين: أعد العدّ أو قرّر</translation>
</message>
<message>
<source>Changed today</source>
<translation>تغيّرت اليوم</translation>
</message>
<message>
<source>Changed today</source>
<comment>a record</comment>
<translation>تغيّر اليوم</translation>
</message>
<message>
<source>Changes</source>
<translation>التغييرات</translation>
</message>
<message>
<source>Changes between the two moments</source>
<translation>التغييرات بين اللحظتين</translation>
</message>
<message>
<source>Changes from {then} to {now}</source>
<translation>التغييرات من {then} إلى {now}</translation>
</message>
<message>
<source>Changes of this record: its name or id</source>
<translation>تغييرات هذا السجل: اسمه أو معرّفه</translation>
</message>
<message>
<source>Changes wait for the old address; send or discard them first.</source>
<translation>تغييرات تنتظر العنوان القديم؛ أرسلها أو تجاهلها أولًا.</translation>
</message>
<message>
<source>Changes wait: the rest of today’s requests is kept for you</source>
<translation>التغييرات تنتظر: ما بقي من طلبات اليوم مخصص لك</translation>
</message>
<message>
<source>Changing categories</source>
<translation>تغيير الفئات</translation>
</message>
<message>
<source>Changing orders</source>
<translation>تغيير الطلبيات</translation>
</message>
<message>
<source>Changing pets</source>
<translation>تغيير الحيوانات</translation>
</message>
<message>
<source>Changing stock</source>
<translation>تغيير المخزون</translation>
</message>
<message>
<source>Check &amp;live</source>
<translation>تح&amp;قق مباشر</translation>
</message>
<message>
<source>Check again</source>
<translation>إعادة الفحص</translation>
</message>
<message>
<source>Check again after that.</source>
<translation>أعد الفحص بعد ذلك.</translation>
</message>
<message>
<source>Check its path or address, or leave it out.</source>
<translation>تحقق من مساره أو عنوانه، أو استغنِ عنه.</translation>
</message>
<message>
<source>Check its permissions.</source>
<translation>تحقق من أذوناته.</translation>
</message>
<message>
<source>Check live</source>
<translation>تحقق مباشر</translation>
</message>
<message>
<source>Check that the keyring runs and is unlocked, then forget the connection again.</source>
<translation>تحقق من أن سلسلة المفاتيح تعمل وأن قفلها مفتوح، ثم أعد نسيان الاتصال.</translation>
</message>
<message>
<source>Check the address and its path (it often ends in /v1). If the service has other paths, add its document, or choose what it is built with.</source>
<translation>تحقق من العنوان ومساره (كثيرًا ما ينتهي بـ ‎/v1). وإذا كانت للخدمة مسارات أخرى، فأضف مستندها، أو اختر ما بُنيت باستخدامه.</translation>
</message>
<message>
<source>Check the address and its path, or ask the service’s provider for the new one.</source>
<translation>تحقق من العنوان ومساره، أو اسأل مزوّد الخدمة عن العنوان الجديد.</translation>
</message>
<message>
<source>Check the address and its path, or ask the service’s provider.</source>
<translation>تحقق من العنوان ومساره، أو اسأل مزوّد الخدمة.</translation>
</message>
<message>
<source>Check the address and its path.</source>
<translation>تحقق من العنوان ومساره.</translation>
</message>
<message>
<source>Check the address and its path: this may be another service.</source>
<translation>تحقق من العنوان ومساره: قد تكون هذه خدمة أخرى.</translation>
</message>
<message>
<source>Check the address and the document in the connection’s settings.</source>
<translation>تحقق من العنوان ومن المستند في إعدادات الاتصال.</translation>
</message>
<message>
<source>Check the address, and what the document in the connection’s settings says about this list.</source>
<translation>تحقق من العنوان، ومما يقوله المستند في إعدادات الاتصال عن هذه القائمة.</translation>
</message>
<message>
<source>Check the address, or choose another document.</source>
<translation>تحقق من العنوان، أو اختر مستندًا آخر.</translation>
</message>
<message>
<source>Check the address.</source>
<translation>تحقق من العنوان.</translation>
</message>
<message>
<source>Check the address: it must have the name that the certificate is for.</source>
<translation>تحقق من العنوان: يجب أن يكون بالاسم الذي صدرت له الشهادة.</translation>
</message>
<message>
<source>Check the address; a name inside a company may need its network first.</source>
<translation>تحقق من العنوان؛ قد يحتاج اسم داخل شركة إلى الاتصال بشبكتها أولًا.</translation>
</message>
<message>
<source>Check the address; the service may be down.</source>
<translation>تحقق من العنوان؛ قد تكون الخدمة متوقفة.</translation>
</message>
<message>
<source>Check the connection to {shop}</source>
<translation>فحص الاتصال بـ {shop}</translation>
</message>
<message>
<source>Check the disk and restart the program. Make the last change again only if it is missing then.</source>
<translation>تحقق من القرص وأعد تشغيل البرنامج. ولا تُعد إجراء التغيير الأخير إلا إذا لم تجده حينئذ.</translation>
</message>
<message>
<source>Check the disk, then restart the program.</source>
<translation>تحقق من القرص، ثم أعد تشغيل البرنامج.</translation>
</message>
<message>
<source>Check the disk, then try again.</source>
<translation>تحقق من القرص، ثم أعد المحاولة.</translation>
</message>
<message>
<source>Check the document, or choose another one.</source>
<translation>تحقق من المستند، أو اختر مستندًا آخر.</translation>
</message>
<message>
<source>Check the keyring’s own program, then enter the key again.</source>
<translation>تحقق من برنامج سلسلة المفاتيح نفسه، ثم أدخل المفتاح مرة أخرى.</translation>
</message>
<message>
<source>Check the network, or a VPN that may be needed.</source>
<translation>تحقق من الشبكة، أو من اتصال VPN قد يكون مطلوبًا.</translation>
</message>
<message>
<source>Check the path of the address, or ask the service’s provider for the right one.</source>
<translation>تحقق من مسار العنوان، أو اسأل مزوّد الخدمة عن المسار الصحيح.</translation>
</message>
<message>
<source>Check the permissions of its folder, then restart the program.</source>
<translation>تحقق من أذونات مجلده، ثم أعد تشغيل البرنامج.</translation>
</message>
<message>
<source>Check the permissions of its folder, then try again.</source>
<translation>تحقق من أذونات مجلده، ثم أعد المحاولة.</translation>
</message>
<message>
<source>Check the port in the address.</source>
<translation>تحقق من المنفذ في العنوان.</translation>
</message>
<message>
<source>Check the port in the address; the key is never sent unencrypted.</source>
<translation>تحقق من المنفذ في العنوان؛ لا يُرسل المفتاح أبدًا من دون تشفير.</translation>
</message>
<message>
<source>Check the port; a firewall can do this as well.</source>
<translation>تحقق من المنفذ؛ وقد يسبب جدار حماية ذلك أيضًا.</translation>
</message>
<message>
<source>Check the proxy’s address and the network.</source>
<translation>تحقق من عنوان الخادم الوكيل ومن الشبكة.</translation>
</message>
<message>
<source>Check the record live.</source>
<translation>تحقق من السجل مباشرة.</translation>
</message>
<message>
<source>Check this computer’s clock. If it is right, ask the service’s provider.</source>
<translation>تحقق من ساعة هذا الكمبيوتر. وإذا كانت صحيحة، فاسأل مزوّد الخدمة.</translation>
</message>
<message>
<source>Check this computer’s clock. If it is right, the service’s provider must renew the certificate.</source>
<translation>تحقق من ساعة هذا الكمبيوتر. وإذا كانت صحيحة، فعلى مزوّد الخدمة تجديد الشهادة.</translation>
</message>
<message>
<source>Check whether another window asks for its password, then check again.</source>
<translation>تحقق هل تطلب نافذة أخرى كلمة مرورها، ثم أعد الفحص.</translation>
</message>
<message>
<source>Check whether another window asks for its password, then enter the key again.</source>
<translation>تحقق هل تطلب نافذة أخرى كلمة مرورها، ثم أدخل المفتاح مرة أخرى.</translation>
</message>
<message>
<source>Check whether the disk is full or its folder is write-protected.</source>
<translation>تحقق هل القرص ممتلئ أو المجلد محمي ضد الكتابة.</translation>
</message>
<message>
<source>Check whether the disk is full, then restart the program. The earlier version still works.</source>
<translation>تحقق هل القرص ممتلئ، ثم أعد تشغيل البرنامج. وما زال الإصدار السابق يعمل.</translation>
</message>
<message>
<source>Check your last changes, and make the missing ones again.</source>
<translation>تحقق من آخر تغييراتك، وأعد إجراء الناقص منها.</translation>
</message>
<message>
<source>Choose QR, or larger labels.</source>
<translation>اختر QR، أو ملصقات أكبر.</translation>
</message>
<message>
<source>Choose a category</source>
<translation>اختيار فئة</translation>
</message>
<message>
<source>Choose a category.</source>
<translation>اختر فئة.</translation>
</message>
<message>
<source>Choose a day</source>
<translation>اختيار يوم</translation>
</message>
<message>
<source>Choose a document with those for pets, categories, orders and stock alone.</source>
<translation>اختر مستندًا لا يضم إلا عمليات الحيوانات والفئات والطلبيات والمخزون.</translation>
</message>
<message>
<source>Choose a file from “Export views”. If it is incomplete, export or copy it again.</source>
<translation>اختر ملفًا ناتجًا من «تصدير طرق العرض». وإذا كان ناقصًا، فأعد تصديره أو نسخه.</translation>
</message>
<message>
<source>Choose a file from “Export” of “Bar codes”. If it is incomplete, export or copy it again.</source>
<translation>اختر ملفًا ناتجًا من «تصدير» في «الرموز الشريطية». وإذا كان ناقصًا، فأعد تصديره أو نسخه.</translation>
</message>
<message>
<source>Choose a file in PEM form, with BEGIN CERTIFICATE in it.</source>
<translation>اختر ملفًا بصيغة PEM يتضمن BEGIN CERTIFICATE.</translation>
</message>
<message>
<source>Choose a file with only the certificates of the authority that the service needs.</source>
<translation>اختر ملفًا لا يضم إلا شهادات جهة الإصدار التي تحتاج إليها الخدمة.</translation>
</message>
<message>
<source>Choose a file, or move this away, then try again.</source>
<translation>اختر ملفًا، أو انقل هذا إلى مكان آخر، ثم أعد المحاولة.</translation>
</message>
<message>
<source>Choose a file…</source>
<translation>اختيار ملف…</translation>
</message>
<message>
<source>Choose a pet.</source>
<translation>اختر حيوانًا.</translation>
</message>
<message>
<source>Choose a row first.</source>
<translation>اختر صفًا أولًا.</translation>
</message>
<message>
<source>Choose another document, or connect without one.</source>
<translation>اختر مستندًا آخر، أو اتصل من دون مستند.</translation>
</message>
<message>
<source>Choose another document.</source>
<translation>اختر مستندًا آخر.</translation>
</message>
<message>
<source>Choose another file, or put it back.</source>
<translation>اختر ملفًا آخر، أو أعد الملف إلى مكانه.</translation>
</message>
<message>
<source>Choose another file…</source>
<translation>اختيار ملف آخر…</translation>
</message>
<message>
<source>Choose another folder, or create this one.</source>
<translation>اختر مجلدًا آخر، أو أنشئ هذا المجلد.</translation>
</message>
<message>
<source>Choose another place…</source>
<translation>اختيار مكان آخر…</translation>
</message>
<message>
<source>Choose its pet</source>
<translation>اختيار حيوانه</translation>
</message>
<message>
<source>Choose larger labels.</source>
<translation>اختر ملصقات أكبر.</translation>
</message>
<message>
<source>Choose open or complete.</source>
<translation>اختر «مفتوحة» أو «مكتملة».</translation>
</message>
<message>
<source>Choose pets</source>
<translation>اختيار حيوانات</translation>
</message>
<message>
<source>Choose the OpenAPI document</source>
<translation>اختيار مستند OpenAPI</translation>
</message>
<message>
<source>Choose the days first.</source>
<translation>اختر الأيام أولًا.</translation>
</message>
<message>
<source>Choose the file with certificates</source>
<translation>اختيار ملف الشهادات</translation>
</message>
<message>
<source>Choose the plan that the program counts by. The demo shop keeps the plan it was started with.</source>
<translation>اختر الباقة التي يحسب البرنامج وفقها. يحتفظ المتجر التجريبي بالباقة التي بدأ بها.</translation>
</message>
<message>
<source>Choose your plan in the connection’s settings. Until then the program sends one request at a time.</source>
<translation>اختر باقتك في إعدادات الاتصال. وحتى ذلك الحين يرسل البرنامج طلبًا واحدًا في كل مرة.</translation>
</message>
<message>
<source>Choose…</source>
<translation>اختيار…</translation>
</message>
<message>
<source>Chosen pets</source>
<translation>الحيوانات المختارة</translation>
</message>
<message numerus="yes">
<source>Chosen; {n} more fields of this record to choose</source>
<translation>
<numerusform>تم الاختيار</numerusform>
<numerusform>تم الاختيار؛ بقي حقل واحد في هذا السجل</numerusform>
<numerusform>تم الاختيار؛ بقي حقلان في هذا السجل</numerusform>
<numerusform>تم الاختيار؛ بقيت {n} حقول في هذا السجل</numerusform>
<numerusform>تم الاختيار؛ بقي {n} حقلًا في هذا السجل</numerusform>
<numerusform>تم الاختيار؛ بقي {n} حقل في هذا السجل</numerusform>
</translation>
</message>
<message>
<source>Clear all</source>
<translation>إزالة الكل</translation>
</message>
<message>
<source>Clear all filters</source>
<translation>إزالة كل عوامل التصفية</translation>
</message>
<message>
<source>Clear filter</source>
<translation>إزالة عامل التصفية</translation>
</message>
<message>
<source>Click a place on the sheet to begin there.</source>
<translation>انقر موضعًا على الورقة للبدء منه.</translation>
</message>
<message>
<source>Clock</source>
<translation>الساعة</translation>
</message>
<message>
<source>Clocks differ by {length}</source>
<translation>فرق الساعتين {length}</translation>
</message>
<message>
<source>Close</source>
<translation>إغلاق</translation>
</message>
<message>
<source>Close Pet Store Desktop?</source>
<translation>هل تريد إغلاق Pet Store Desktop؟</translation>
</message>
<message>
<source>Close details</source>
<translation>إغلاق التفاصيل</translation>
</message>
<message>
<source>Close that program, then restart this one.</source>
<translation>أغلق ذلك البرنامج، ثم أعد تشغيل هذا البرنامج.</translation>
</message>
<message>
<source>Close that program, then try again.</source>
<translation>أغلق ذلك البرنامج، ثم أعد المحاولة.</translation>
</message>
<message>
<source>Close the count &amp;without booking</source>
<translation>إ&amp;غلاق الجرد من دون ترحيل</translation>
</message>
<message>
<source>Close the preview before you go on counting.</source>
<translation>أغلق المعاينة قبل متابعة العدّ.</translation>
</message>
<message>
<source>Close without importing?</source>
<translation>هل تريد الإغلاق من دون استيراد؟</translation>
</message>
<message>
<source>Close without saving?</source>
<translation>هل تريد الإغلاق من دون حفظ؟</translation>
</message>
<message>
<source>Code</source>
<translation>الرمز</translation>
</message>
<message>
<source>Code 128</source>
<translation>Code 128</translation>
</message>
<message>
<source>Col&amp;umns shown</source>
<translation>الأعمدة المعرو&amp;ضة</translation>
</message>
<message>
<source>Colour beside its name</source>
<translation>اللون بجانب الاسم</translation>
</message>
<message>
<source>Column</source>
<translation>العمود</translation>
</message>
<message>
<source>Column in the file</source>
<translation>العمود في الملف</translation>
</message>
<message numerus="yes">
<source>Column {n}</source>
<translation>
<numerusform>العمود {n}</numerusform>
<numerusform>العمود {n}</numerusform>
<numerusform>العمود {n}</numerusform>
<numerusform>العمود {n}</numerusform>
<numerusform>العمود {n}</numerusform>
<numerusform>العمود {n}</numerusform>
</translation>
</message>
<message>
<source>Columns</source>
<translation>الأعمدة</translation>
</message>
<message>
<source>Columns: {columns}.</source>
<translation>الأعمدة: {columns}.</translation>
</message>
<message>
<source>Comma</source>
<translation>فاصلة</translation>
</message>
<message>
<source>Compare both values, then send yours again or discard it.</source>
<translation>قارن القيمتين، ثم أعد إرسال قيمتك أو تجاهلها.</translation>
</message>
<message>
<source>Compare from {time}</source>
<translation>المقارنة من {time}</translation>
</message>
<message>
<source>Compare the record with what you wanted, and change it where needed.</source>
<translation>قارن السجل بما أردته، وغيّره حيث يلزم.</translation>
</message>
<message>
<source>Compare the records of your last changes with what you wanted (Activity).</source>
<translation>قارن سجلات آخر تغييراتك بما أردته (النشاط).</translation>
</message>
<message>
<source>Compare this computer’s clock with another one, such as a phone’s.</source>
<translation>قارن ساعة هذا الكمبيوتر بساعة أخرى، مثل ساعة هاتف.</translation>
</message>
<message>
<source>Compare two days</source>
<translation>مقارنة يومين</translation>
</message>
<message>
<source>Compare up to now</source>
<translation>المقارنة حتى الآن</translation>
</message>
<message>
<source>Comparing {n} of {total}</source>
<translation>المقارنة: {n} من {total}</translation>
</message>
<message numerus="yes">
<source>Comparing: {n} %</source>
<translation>
<numerusform>المقارنة: {n}%</numerusform>
<numerusform>المقارنة: {n}%</numerusform>
<numerusform>المقارنة: {n}%</numerusform>
<numerusform>المقارنة: {n}%</numerusform>
<numerusform>المقارنة: {n}%</numerusform>
<numerusform>المقارنة: {n}%</numerusform>
</translation>
</message>
<message>
<source>Complete</source>
<translation>مكتملة</translation>
</message>
<message>
<source>Connect</source>
<translation>اتصال</translation>
</message>
<message>
<source>Connect &amp;another shop…</source>
<translation>الا&amp;تصال بمتجر آخر…</translation>
</message>
<message>
<source>Connect again under the same name and address.</source>
<translation>أعد الاتصال بالاسم والعنوان نفسيهما.</translation>
</message>
<message>
<source>Connect another shop</source>
<translation>الاتصال بمتجر آخر</translation>
</message>
<message>
<source>Connect to a network.</source>
<translation>اتصل بشبكة.</translation>
</message>
<message>
<source>Connect your shop</source>
<translation>الاتصال بمتجرك</translation>
</message>
<message>
<source>Connection &amp;settings…</source>
<translation>إع&amp;دادات الاتصال…</translation>
</message>
<message>
<source>Connection settings</source>
<translation>إعدادات الاتصال</translation>
</message>
<message>
<source>Continue</source>
<translation>متابعة</translation>
</message>
<message>
<source>Cop&amp;y id</source>
<translation>ن&amp;سخ المعرّف</translation>
</message>
<message>
<source>Copies</source>
<translation>النسخ</translation>
</message>
<message>
<source>Copy</source>
<translation>نسخ</translation>
</message>
<message>
<source>Copy &amp;requests for support</source>
<translation>نسخ &amp;طلبات الخدمة للدعم</translation>
</message>
<message>
<source>Copy diagnostics</source>
<translation>نسخ معلومات التشخيص</translation>
</message>
<message>
<source>Copy for support</source>
<translation>نسخ للدعم</translation>
</message>
<message>
<source>Copy it again, and nothing else with it.</source>
<translation>انسخه مرة أخرى، من دون أي شيء آخر معه.</translation>
</message>
<message>
<source>Copy it again, without spaces and line breaks.</source>
<translation>انسخه مرة أخرى، من دون مسافات أو أسطر جديدة.</translation>
</message>
<message>
<source>Copy the &amp;sentence</source>
<translation>نسخ ال&amp;جملة</translation>
</message>
<message>
<source>Copy the sentence ({key})</source>
<translation>نسخ الجملة ({key})</translation>
</message>
<message>
<source>Copy the whole key again, or ask for another one.</source>
<translation>انسخ المفتاح كاملًا مرة أخرى، أو اطلب مفتاحًا آخر.</translation>
</message>
<message>
<source>Copy the whole key again, or ask for another one. If the service expects the key in an unusual place, add its OpenAPI document.</source>
<translation>انسخ المفتاح كاملًا مرة أخرى، أو اطلب مفتاحًا آخر. وإذا كانت الخدمة تنتظر المفتاح في موضع غير معتاد، فأضف مستند OpenAPI الخاص بها.</translation>
</message>
<message>
<source>Copy this key again, or ask the service’s provider for another one.</source>
<translation>انسخ هذا المفتاح مرة أخرى، أو اطلب مفتاحًا آخر من مزوّد الخدمة.</translation>
</message>
<message>
<source>Copy with &amp;headers</source>
<translation>نسخ مع العنا&amp;وين</translation>
</message>
<message numerus="yes">
<source>Copy {n} wrong rows with the reasons</source>
<translation>
<numerusform>لا صفوف خاطئة للنسخ</numerusform>
<numerusform>انسخ الصف الخاطئ مع السبب</numerusform>
<numerusform>انسخ الصفين الخاطئين مع السببين</numerusform>
<numerusform>انسخ {n} صفوف خاطئة مع الأسباب</numerusform>
<numerusform>انسخ {n} صفًا خاطئًا مع الأسباب</numerusform>
<numerusform>انسخ {n} صف خاطئ مع الأسباب</numerusform>
</translation>
</message>
<message>
<source>Correct the clock that is wrong. Pauses are exact all the same.</source>
<translation>صحّح الساعة الخاطئة. أما فترات الإيقاف المؤقت فهي دقيقة على أي حال.</translation>
</message>
<message>
<source>Could not be refreshed</source>
<translation>تعذر التحديث</translation>
</message>
<message>
<source>Count {pet} again: scan it, or type its number. Undo brings back its count.</source>
<translation>أعد عدّ {pet}: امسح رمزه، أو اكتب رقمه. ويعيد التراجع عدده السابق.</translation>
</message>
<message>
<source>Counted</source>
<translation>المعدود</translation>
</message>
<message>
<source>Counted</source>
<comment>a list</comment>
<translation>المعدود</translation>
</message>
<message>
<source>Counted at</source>
<translation>وقت العدّ</translation>
</message>
<message>
<source>Counted by</source>
<translation>القائم بالعدّ</translation>
</message>
<message>
<source>Counted by {who}.</source>
<translation>القائم بالعدّ: {who}.</translation>
</message>
<message>
<source>Counted here: the service does not say.</source>
<translation>محسوب هنا: الخدمة لا تذكر ذلك.</translation>
</message>
<message>
<source>Counting goes on; review the variances again when it is done.</source>
<translation>يستمر العدّ؛ راجع الفروقات مرة أخرى بعد انتهائه.</translation>
</message>
<message>
<source>Create</source>
<translation>إنشاء</translation>
</message>
<message>
<source>Ctrl+Enter shows it in its list</source>
<translation>يُظهره Ctrl+Enter في قائمته</translation>
</message>
<message>
<source>Ctrl+Z undoes all of it, even tomorrow.</source>
<translation>يتراجع Ctrl+Z عن كل ذلك، ولو غدًا.</translation>
</message>
<message>
<source>Ctrl+Z undoes it only until it is sent.</source>
<translation>لا يتراجع Ctrl+Z عن ذلك إلا إلى أن يُرسل.</translation>
</message>
<message>
<source>Ctrl+Z undoes it until it is sent. After that this service cannot restore it.</source>
<translation>يمكن التراجع بـ Ctrl+Z إلى أن يُرسل. وبعد ذلك لا تستطيع هذه الخدمة استعادته.</translation>
</message>
<message>
<source>Ctrl+Z undoes it, but sent new records stay: this service does not delete them.</source>
<translation>يتراجع Ctrl+Z عن ذلك، لكن السجلات الجديدة المرسلة تبقى: فهذه الخدمة لا تحذفها.</translation>
</message>
<message>
<source>Ctrl+Z undoes it, sent or not, tomorrow too.</source>
<translation>يتراجع عنه Ctrl+Z، أُرسل أم لم يُرسل، وغدًا أيضًا.</translation>
</message>
<message numerus="yes">
<source>Ctrl+Z undoes it. Once sent, undo adds these {n} again with new ids.</source>
<translation>
<numerusform>يتراجع Ctrl+Z عن ذلك.</numerusform>
<numerusform>يتراجع Ctrl+Z عن ذلك. وبعد الإرسال يعيد التراجع إضافته بمعرّف جديد.</numerusform>
<numerusform>يتراجع Ctrl+Z عن ذلك. وبعد الإرسال يعيد التراجع إضافتهما بمعرّفين جديدين.</numerusform>
<numerusform>يتراجع Ctrl+Z عن ذلك. وبعد الإرسال يعيد التراجع إضافتها ({n}) بمعرّفات جديدة.</numerusform>
<numerusform>يتراجع Ctrl+Z عن ذلك. وبعد الإرسال يعيد التراجع إضافتها ({n}) بمعرّفات جديدة.</numerusform>
<numerusform>يتراجع Ctrl+Z عن ذلك. وبعد الإرسال يعيد التراجع إضافتها ({n}) بمعرّفات جديدة.</numerusform>
</translation>
</message>
<message>
<source>Dark</source>
<translation>داكنة</translation>
</message>
<message>
<source>Data chec&amp;ks</source>
<translation>فحص الب&amp;يانات</translation>
</message>
<message>
<source>Data folder</source>
<translation>مجلد البيانات</translation>
</message>
<message>
<source>Data kept on this computer needs no request.</source>
<translation>البيانات المحفوظة على هذا الكمبيوتر لا تحتاج إلى طلب.</translation>
</message>
<message>
<source>Dates</source>
<translation>التواريخ</translation>
</message>
<message>
<source>Day</source>
<translation>اليوم</translation>
</message>
<message>
<source>Day.Month.Year</source>
<translation>يوم.شهر.سنة</translation>
</message>
<message>
<source>Days</source>
<translation>الأيام</translation>
</message>
<message>
<source>Decide</source>
<translation>اتخاذ قرار</translation>
</message>
<message>
<source>Del</source>
<translation>Del</translation>
</message>
<message>
<source>Delete</source>
<translation>حذف</translation>
</message>
<message>
<source>Delete</source>
<comment>a change</comment>
<translation>حذف</translation>
</message>
<message>
<source>Delete a category</source>
<translation>حذف فئة</translation>
</message>
<message>
<source>Delete a pet</source>
<translation>حذف حيوان</translation>
</message>
<message>
<source>Delete order {id}?</source>
<translation>حذف الطلبية {id}؟</translation>
</message>
<message>
<source>Delete puts this away until there are more.</source>
<translation>يُخفي المفتاح Delete هذا حتى يظهر المزيد.</translation>
</message>
<message>
<source>Delete them again, or ask the service’s provider why it keeps them.</source>
<translation>احذفها مرة أخرى، أو اسأل مزوّد الخدمة لماذا يحتفظ بها.</translation>
</message>
<message>
<source>Delete this size</source>
<translation>حذف هذا المقاس</translation>
</message>
<message numerus="yes">
<source>Delete {n}</source>
<translation>
<numerusform>حذف ({n})</numerusform>
<numerusform>حذف ({n})</numerusform>
<numerusform>حذف ({n})</numerusform>
<numerusform>حذف ({n})</numerusform>
<numerusform>حذف ({n})</numerusform>
<numerusform>حذف ({n})</numerusform>
</translation>
</message>
<message>
<source>Delete {things}</source>
<translation>حذف: {things}</translation>
</message>
<message>
<source>Delete {things}?</source>
<translation>هل تريد الحذف: {things}؟</translation>
</message>
<message>
<source>Delete {view}</source>
<translation>حذف {view}</translation>
</message>
<message>
<source>Deleting categories</source>
<translation>حذف الفئات</translation>
</message>
<message>
<source>Deleting pets</source>
<translation>حذف الحيوانات</translation>
</message>
<message numerus="yes">
<source>Delivery: {n} lines</source>
<translation>
<numerusform>الاستلام: لا أسطر</numerusform>
<numerusform>الاستلام: سطر واحد</numerusform>
<numerusform>الاستلام: سطران</numerusform>
<numerusform>الاستلام: {n} أسطر</numerusform>
<numerusform>الاستلام: {n} سطرًا</numerusform>
<numerusform>الاستلام: {n} سطر</numerusform>
</translation>
</message>
<message>
<source>Deprecated: was to be removed on {day}</source>
<translation>متقادمة: كان مقررًا أن تُزال في {day}</translation>
</message>
<message>
<source>Deprecated: will be removed on {day}, {left}</source>
<translation>متقادمة: ستُزال في {day}، {left}</translation>
</message>
<message>
<source>Deprecated: will be removed some day</source>
<translation>متقادمة: ستُزال يومًا ما</translation>
</message>
<message>
<source>Description</source>
<translation>الوصف</translation>
</message>
<message>
<source>Details</source>
<translation>التفاصيل</translation>
</message>
<message>
<source>Diagnostics are on the clipboard.</source>
<translation>معلومات التشخيص في الحافظة.</translation>
</message>
<message>
<source>Difference</source>
<translation>الفرق</translation>
</message>
<message>
<source>Disc&amp;ard changes of this view</source>
<translation>تجا&amp;هل تغييرات طريقة العرض هذه</translation>
</message>
<message>
<source>Discard</source>
<translation>تجاهل</translation>
</message>
<message>
<source>Discard changes of {view}</source>
<translation>تجاهل تغييرات {view}</translation>
</message>
<message>
<source>Discard mine</source>
<translation>تجاهل تغييري</translation>
</message>
<message>
<source>Discard {changes}?</source>
<translation>هل تريد تجاهل التغييرات غير المرسلة ({changes})؟</translation>
</message>
<message>
<source>Discarded</source>
<translation>تم تجاهله</translation>
</message>
<message>
<source>Discarded {time}, never sent.</source>
<translation>تم تجاهله ({time})، ولم يُرسل قط.</translation>
</message>
<message>
<source>Discarded {time}.</source>
<translation>تم تجاهله ({time}).</translation>
</message>
<message>
<source>Discarded {time}; the service had refused it.</source>
<translation>تم تجاهله ({time})؛ وكانت الخدمة قد رفضته.</translation>
</message>
<message numerus="yes">
<source>Do not add them</source>
<translation>
<numerusform>عدم إضافتها</numerusform>
<numerusform>عدم إضافتها</numerusform>
<numerusform>عدم إضافتهما</numerusform>
<numerusform>عدم إضافتها</numerusform>
<numerusform>عدم إضافتها</numerusform>
<numerusform>عدم إضافتها</numerusform>
</translation>
</message>
<message>
<source>Do not ask</source>
<translation>عدم التحقق</translation>
</message>
<message>
<source>Do not continue. Ask the service’s provider.</source>
<translation>لا تتابع. اسأل مزوّد الخدمة.</translation>
</message>
<message>
<source>Document</source>
<translation>المستند</translation>
</message>
<message>
<source>Don’t say this again</source>
<translation>عدم إظهار هذا مرة أخرى</translation>
</message>
<message>
<source>Due today</source>
<translation>موعدها اليوم</translation>
</message>
<message>
<source>E&amp;xclude this</source>
<translation>استثناء ه&amp;ذه القيمة</translation>
</message>
<message>
<source>EUC-KR, Korean</source>
<translation>الكورية (EUC-KR)</translation>
</message>
<message>
<source>Each code that was scanned is a pet’s.</source>
<translation>كل رمز قرأه الماسح يخص حيوانًا.</translation>
</message>
<message>
<source>Each scan is a line here, saved at once. Book them when all is scanned.</source>
<translation>كل مسح سطر هنا، يُحفظ فورًا. رحّل الأسطر بعد مسح كل شيء.</translation>
</message>
<message>
<source>Earlier</source>
<translation>أقدم</translation>
</message>
<message>
<source>Earlier saved changes are safe. The last change may be saved after all.</source>
<translation>التغييرات المحفوظة سابقًا آمنة. وربما حُفظ التغيير الأخير رغم ذلك.</translation>
</message>
<message>
<source>Earlier saved changes are safe; the last change is not.</source>
<translation>التغييرات المحفوظة سابقًا آمنة؛ أما التغيير الأخير فلم يُحفظ.</translation>
</message>
<message>
<source>Ed&amp;it cell</source>
<translation>تحرير ال&amp;خلية</translation>
</message>
<message>
<source>Edit</source>
<translation>تحرير</translation>
</message>
<message>
<source>Edit &amp;stock</source>
<translation>تحرير المخ&amp;زون</translation>
</message>
<message>
<source>Edit of many rows</source>
<translation>تحرير عدة صفوف</translation>
</message>
<message>
<source>Edit {name}</source>
<translation>تحرير {name}</translation>
</message>
<message>
<source>Editing these costs {requests}</source>
<translation>تكلفة تحريرها: {requests}</translation>
</message>
<message>
<source>Empty for none. 0 marks only sold-out stock.</source>
<translation>إذا تُرك فارغًا: لا حد. والقيمة صفر تعلّم المخزون النافد فقط.</translation>
</message>
<message>
<source>Empty for the category’s. 0 marks only sold-out stock.</source>
<translation>إذا تُرك فارغًا: حد الفئة. والقيمة صفر تعلّم المخزون النافد فقط.</translation>
</message>
<message>
<source>Empty for the category’s: {n}. 0 marks only sold-out stock.</source>
<translation>إذا تُرك فارغًا: حد الفئة، {n}. والقيمة صفر تعلّم المخزون النافد فقط.</translation>
</message>
<message>
<source>Empty for the category’s: {n}. The column To order counts up to it.</source>
<translation>إذا تُرك فارغًا: قيمة الفئة، {n}. ويحسب العمود «كمية الطلب» حتى بلوغها.</translation>
</message>
<message>
<source>Empty keeps each value. 0 marks only sold-out stock.</source>
<translation>إذا تُرك فارغًا: تبقى كل قيمة كما هي. والقيمة صفر تعلّم المخزون النافد فقط.</translation>
</message>
<message>
<source>Empty keeps each value. The column To order counts up to it.</source>
<translation>إذا تُرك فارغًا: تبقى كل قيمة كما هي. ويحسب العمود «كمية الطلب» حتى بلوغها.</translation>
</message>
<message>
<source>Empty to order up to the minimum. The column To order counts up to it.</source>
<translation>إذا تُرك فارغًا: الطلب حتى الحد الأدنى. ويحسب العمود «كمية الطلب» حتى بلوغه.</translation>
</message>
<message>
<source>Encoding</source>
<translation>الترميز</translation>
</message>
<message>
<source>End</source>
<translation>النهاية</translation>
</message>
<message>
<source>End</source>
<comment>the rehearsal</comment>
<translation>إنهاء</translation>
</message>
<message>
<source>End</source>
<comment>what plays by itself</comment>
<translation>إنهاء</translation>
</message>
<message>
<source>End the rehearsal?</source>
<translation>هل تريد إنهاء المحاكاة؟</translation>
</message>
<message>
<source>End: {day}</source>
<translation>النهاية: {day}</translation>
</message>
<message>
<source>Endless roll, {width} mm wide</source>
<translation>لفة متصلة، بعرض {width} مم</translation>
</message>
<message>
<source>Enough for today at this pace</source>
<translation>تكفي لهذا اليوم بهذه الوتيرة</translation>
</message>
<message>
<source>Enough for today at this pace.</source>
<translation>تكفي لهذا اليوم بهذه الوتيرة.</translation>
</message>
<message>
<source>Enter</source>
<translation>Enter</translation>
</message>
<message>
<source>Enter a date.</source>
<translation>أدخل تاريخًا.</translation>
</message>
<message>
<source>Enter a day, such as {example}.</source>
<translation>أدخل يومًا، مثل {example}.</translation>
</message>
<message>
<source>Enter a day: fri, +3, tomorrow, {example}</source>
<translation>أدخل يومًا: الجمعة، ‎+3، غدًا، {example}</translation>
</message>
<message>
<source>Enter a key.</source>
<translation>أدخل مفتاحًا.</translation>
</message>
<message>
<source>Enter a name.</source>
<translation>أدخل اسمًا.</translation>
</message>
<message>
<source>Enter a number from 0 to {most}</source>
<translation>أدخل رقمًا من 0 إلى {most}</translation>
</message>
<message>
<source>Enter a number.</source>
<translation>أدخل رقمًا.</translation>
</message>
<message>
<source>Enter a valid date.</source>
<translation>أدخل تاريخًا صالحًا.</translation>
</message>
<message>
<source>Enter a whole number</source>
<translation>أدخل عددًا صحيحًا</translation>
</message>
<message>
<source>Enter a whole number as the id.</source>
<translation>أدخل عددًا صحيحًا ليكون المعرّف.</translation>
</message>
<message>
<source>Enter a whole number from 1 to {most}.</source>
<translation>أدخل عددًا صحيحًا من 1 إلى {most}.</translation>
</message>
<message>
<source>Enter a whole number, such as 5.</source>
<translation>أدخل عددًا صحيحًا، مثل 5.</translation>
</message>
<message>
<source>Enter a whole number.</source>
<translation>أدخل عددًا صحيحًا.</translation>
</message>
<message>
<source>Enter a whole number: no fraction.</source>
<translation>أدخل عددًا صحيحًا: من دون كسور.</translation>
</message>
<message>
<source>Enter an address.</source>
<translation>أدخل عنوانًا.</translation>
</message>
<message>
<source>Enter an id.</source>
<translation>أدخل معرّفًا.</translation>
</message>
<message>
<source>Enter another key.</source>
<translation>أدخل مفتاحًا آخر.</translation>
</message>
<message>
<source>Enter another key: this one is wrong, or was revoked. Until then nothing is sent.</source>
<translation>أدخل مفتاحًا آخر: هذا المفتاح خاطئ أو أُبطل. وحتى ذلك الحين لا يُرسل شيء.</translation>
</message>
<message>
<source>Enter at least 1, or leave it empty.</source>
<translation>أدخل 1 على الأقل، أو اتركه فارغًا.</translation>
</message>
<message>
<source>Enter at least 1.</source>
<translation>أدخل 1 على الأقل.</translation>
</message>
<message>
<source>Enter at least the minimum.</source>
<translation>أدخل الحد الأدنى على الأقل.</translation>
</message>
<message>
<source>Enter chooses, Esc leaves</source>
<translation>‏Enter للاختيار، وEsc للخروج</translation>
</message>
<message>
<source>Enter it in the window (File &gt; Change key), or give it by this name with `petstore-desktop connect --further-key`.</source>
<translation>أدخله في النافذة (ملف &gt; تغيير المفتاح)، أو مرّره بهذا الاسم باستخدام `petstore-desktop connect --further-key`.</translation>
</message>
<message>
<source>Enter it in the window (File &gt; Change key), or give it with `petstore-desktop connect --key-stdin`.</source>
<translation>أدخله في النافذة (ملف &gt; تغيير المفتاح)، أو مرّره باستخدام `petstore-desktop connect --key-stdin`.</translation>
</message>
<message>
<source>Enter shows the rows of this batch, or hides them.</source>
<translation>يُظهر Enter صفوف هذه الدفعة أو يخفيها.</translation>
</message>
<message>
<source>Enter the key.</source>
<translation>أدخل المفتاح.</translation>
</message>
<message>
<source>Enter the name of a file.</source>
<translation>أدخل اسم ملف.</translation>
</message>
<message>
<source>Enter the value, or give the address with it, such as {example}.</source>
<translation>أدخل القيمة، أو أدخل العنوان متضمنًا إياها، مثل {example}.</translation>
</message>
<message>
<source>Enter them.</source>
<translation>أدخل هذه القيم.</translation>
</message>
<message>
<source>Entries that the service keeps for its pets are shown here.</source>
<translation>تظهر هنا القيود التي تحفظها الخدمة لحيواناتها.</translation>
</message>
<message>
<source>Every change is listed here once it is saved: when, which record, and how it ended.</source>
<translation>يُدرج هنا كل تغيير فور حفظه: متى، وفي أي سجل، وكيف انتهى.</translation>
</message>
<message>
<source>Every change is sent and confirmed.</source>
<translation>أُرسل كل تغيير وتأكد وصوله.</translation>
</message>
<message>
<source>Every name fits</source>
<translation>كل الأسماء لها متسع</translation>
</message>
<message>
<source>Every order has a pet, a quantity and a date</source>
<translation>لكل طلبية حيوان وكمية وتاريخ</translation>
</message>
<message>
<source>Every order is of a pet that exists</source>
<translation>كل طلبية لحيوان موجود</translation>
</message>
<message>
<source>Every pet has a category</source>
<translation>لكل حيوان فئة</translation>
</message>
<message>
<source>Every pet needs a category, but there is none, and this service cannot add one.</source>
<translation>يحتاج كل حيوان إلى فئة، لكن لا توجد أي فئة، ولا يمكن إضافة فئة لدى هذه الخدمة.</translation>
</message>
<message>
<source>Every request to the service is listed here: when it was sent, for whom, and the answer.</source>
<translation>يُدرج هنا كل طلب إلى الخدمة: متى أُرسل، ولأي غرض، وما الرد.</translation>
</message>
<message>
<source>Everything else goes on.</source>
<translation>كل ما عدا ذلك مستمر.</translation>
</message>
<message>
<source>Everything else works.</source>
<translation>كل ما عدا ذلك يعمل.</translation>
</message>
<message>
<source>Everything here is sent</source>
<translation>كل ما هنا أُرسل</translation>
</message>
<message>
<source>Everything saved on this computer is safe.</source>
<translation>كل ما حُفظ على هذا الكمبيوتر آمن.</translation>
</message>
<message>
<source>Everything works</source>
<translation>كل شيء يعمل</translation>
</message>
<message>
<source>Example</source>
<translation>مثال</translation>
</message>
<message>
<source>Excel workbook (.xlsx)</source>
<translation>مصنف Excel (.xlsx)</translation>
</message>
<message>
<source>Expected</source>
<translation>المتوقع</translation>
</message>
<message>
<source>Export</source>
<translation>تصدير</translation>
</message>
<message>
<source>Export bar codes</source>
<translation>تصدير الرموز الشريطية</translation>
</message>
<message>
<source>Export changes</source>
<translation>تصدير التغييرات</translation>
</message>
<message>
<source>Export views</source>
<translation>تصدير طرق العرض</translation>
</message>
<message>
<source>Export {view}</source>
<translation>تصدير {view}</translation>
</message>
<message>
<source>Export…</source>
<translation>تصدير…</translation>
</message>
<message>
<source>Fields</source>
<translation>الحقول</translation>
</message>
<message>
<source>File</source>
<translation>الملف</translation>
</message>
<message>
<source>Fill</source>
<translation>تعبئة</translation>
</message>
<message>
<source>Fill dow&amp;n</source>
<translation>تعبئة لأس&amp;فل</translation>
</message>
<message>
<source>Fill in the empty fields above.</source>
<translation>املأ الحقول الفارغة أعلاه.</translation>
</message>
<message>
<source>Fill the bloc&amp;k</source>
<translation>تعبئة النطا&amp;ق</translation>
</message>
<message>
<source>Filter</source>
<translation>تصفية</translation>
</message>
<message>
<source>Filter &amp;by this</source>
<translation>تصفية حسب &amp;هذه القيمة</translation>
</message>
<message>
<source>Filter over all columns</source>
<translation>تصفية كل الأعمدة</translation>
</message>
<message>
<source>Filter this colu&amp;mn</source>
<translation>تصفية هذا العمو&amp;د</translation>
</message>
<message>
<source>Filter {column}</source>
<translation>تصفية {column}</translation>
</message>
<message>
<source>Filter: name or id</source>
<translation>تصفية: اسم أو معرّف</translation>
</message>
<message>
<source>Filter: name, id, field, here or elsewhere</source>
<translation>تصفية: اسم أو معرّف أو حقل أو هنا أو خارجيًا</translation>
</message>
<message>
<source>Finish: nothing to send</source>
<translation>إنهاء: لا شيء للإرسال</translation>
</message>
<message>
<source>First cells</source>
<translation>الخلايا الأولى</translation>
</message>
<message>
<source>First seen</source>
<translation>أول رصد</translation>
</message>
<message>
<source>First start of a day</source>
<translation>أول تشغيل في اليوم</translation>
</message>
<message>
<source>Fit co&amp;lumns</source>
<translation>م&amp;لاءمة الأعمدة</translation>
</message>
<message>
<source>For</source>
<translation>الغرض</translation>
</message>
<message>
<source>For a spreadsheet (*.csv)</source>
<translation>لجدول بيانات (*.csv)</translation>
</message>
<message>
<source>For another address, connect another shop.</source>
<translation>لعنوان آخر، اتصل بمتجر آخر.</translation>
</message>
<message>
<source>For another value, connect another shop.</source>
<translation>لقيمة أخرى، اتصل بمتجر آخر.</translation>
</message>
<message>
<source>For programs (*.json)</source>
<translation>للبرامج (*.json)</translation>
</message>
<message>
<source>For programs (.json)</source>
<translation>للبرامج (.json)</translation>
</message>
<message>
<source>For some operations the service wants another key: {key}.</source>
<translation>تتطلب الخدمة لبعض العمليات مفتاحًا آخر: {key}.</translation>
</message>
<message>
<source>Forget</source>
<translation>نسيان</translation>
</message>
<message>
<source>Forget this shop…</source>
<translation>نسيان هذا المتجر…</translation>
</message>
<message>
<source>Forget {shop}?</source>
<translation>هل تريد نسيان {shop}؟</translation>
</message>
<message>
<source>Forward</source>
<translation>تقدم</translation>
</message>
<message>
<source>Found</source>
<translation>النتائج</translation>
</message>
<message>
<source>Free some disk space, then restart the program.</source>
<translation>وفّر مساحة على القرص، ثم أعد تشغيل البرنامج.</translation>
</message>
<message>
<source>Free some disk space, then try again.</source>
<translation>وفّر مساحة على القرص، ثم أعد المحاولة.</translation>
</message>
<message>
<source>Free&amp;ze columns up to here</source>
<translation>ت&amp;جميد الأعمدة حتى هنا</translation>
</message>
<message>
<source>From</source>
<translation>من</translation>
</message>
<message>
<source>From one day to another</source>
<translation>من يوم إلى آخر</translation>
</message>
<message>
<source>From this network there is no way to {host}.</source>
<translation>لا سبيل من هذه الشبكة إلى {host}.</translation>
</message>
<message>
<source>From what this computer has read; what moved and moved back between two readings is not in it.</source>
<translation>وفق ما قرأه هذا الكمبيوتر؛ وما تغيّر ثم عاد بين قراءتين لا يظهر فيه.</translation>
</message>
<message>
<source>From your rehearsal; nothing of it has reached the shop yet.</source>
<translation>من محاكاتك؛ ولم يصل منها شيء إلى المتجر بعد.</translation>
</message>
<message>
<source>From {time}</source>
<translation>من {time}</translation>
</message>
<message>
<source>Full again at {time}.</source>
<translation>تكتمل من جديد: {time}.</translation>
</message>
<message>
<source>GB 18030, Chinese</source>
<translation>الصينية (GB 18030)</translation>
</message>
<message>
<source>Gap between columns</source>
<translation>المسافة بين الأعمدة</translation>
</message>
<message>
<source>Gap between rows</source>
<translation>المسافة بين الصفوف</translation>
</message>
<message>
<source>General</source>
<translation>عام</translation>
</message>
<message>
<source>Give the base address of its API, such as https://shop.example/v1.</source>
<translation>أدخل العنوان الأساسي لواجهة API الخاصة بها، مثل https://shop.example/v1.</translation>
</message>
<message>
<source>Go to its c&amp;ategory</source>
<translation>الانتقال إلى الف&amp;ئة</translation>
</message>
<message>
<source>Go to its s&amp;tock</source>
<translation>الانتقال إلى المخ&amp;زون</translation>
</message>
<message>
<source>Go to the record</source>
<translation>الانتقال إلى السجل</translation>
</message>
<message>
<source>Gone</source>
<comment>a record that is no longer there</comment>
<translation>لم يعد موجودًا</translation>
</message>
<message>
<source>Gone</source>
<comment>records that are no longer there</comment>
<translation>لم تعد موجودة</translation>
</message>
<message>
<source>Green</source>
<translation>أخضر</translation>
</message>
<message>
<source>H&amp;ide this column</source>
<translation>إ&amp;خفاء هذا العمود</translation>
</message>
<message>
<source>HTTP status</source>
<translation>حالة HTTP</translation>
</message>
<message>
<source>Has no stock entry</source>
<translation>بلا قيد مخزون</translation>
</message>
<message>
<source>Header row</source>
<translation>صف العناوين</translation>
</message>
<message>
<source>High contrast</source>
<translation>تباين عالٍ</translation>
</message>
<message>
<source>History</source>
<translation>المحفوظات</translation>
</message>
<message>
<source>Holds the id. A scan of it finds the pet, also offline.</source>
<translation>يحمل المعرّف. ومسحه يعثر على الحيوان، حتى دون اتصال.</translation>
</message>
<message>
<source>How long they last is not known yet</source>
<translation>لا يُعرف بعد كم تكفي</translation>
</message>
<message>
<source>How many operations can be used with this choice is not known before the service is asked again.</source>
<translation>لا يُعرف عدد العمليات التي يمكن استخدامها بهذا الاختيار قبل سؤال الخدمة مرة أخرى.</translation>
</message>
<message>
<source>I&amp;mport…</source>
<translation>ا&amp;ستيراد…</translation>
</message>
<message>
<source>Id</source>
<translation>المعرّف</translation>
</message>
<message>
<source>Id of the pet</source>
<translation>معرّف الحيوان</translation>
</message>
<message>
<source>If it happens again, ask the service’s provider, and look for other programs that use this key.</source>
<translation>إذا تكرر ذلك، فاسأل مزوّد الخدمة، وابحث عن برامج أخرى تستخدم هذا المفتاح.</translation>
</message>
<message>
<source>If it has them elsewhere: choose them in File &gt; Operations, or give its document with --document.</source>
<translation>إذا كانت موجودة في مكان آخر، فاخترها في ملف &gt; العمليات، أو حدد مستندها باستخدام --document.</translation>
</message>
<message>
<source>If it is a pet shop, choose its operations in File &gt; Operations.</source>
<translation>إذا كان متجر حيوانات، فاختر عملياته في ملف &gt; العمليات.</translation>
</message>
<message>
<source>If it is right, you don’t need to do anything.</source>
<translation>إذا كانت صحيحة، فلا يلزمك فعل شيء.</translation>
</message>
<message>
<source>If it is wrong, set it: late orders and all times shown depend on it.</source>
<translation>إذا كانت خاطئة، فاضبطها: فالطلبيات المتأخرة وكل الأوقات المعروضة تعتمد عليها.</translation>
</message>
<message>
<source>If that address is right, enter it.</source>
<translation>إذا كان ذلك العنوان صحيحًا، فأدخله.</translation>
</message>
<message>
<source>If that address is right, use it instead.</source>
<translation>إذا كان ذلك العنوان صحيحًا، فاستخدمه بدلًا منه.</translation>
</message>
<message>
<source>If that is right, choose it in File &gt; Operations.</source>
<translation>إذا كان هذا صحيحًا، فاختره في ملف &gt; العمليات.</translation>
</message>
<message>
<source>If the service has moved, change the connection’s address; a sign-in page means that it is the wrong one.</source>
<translation>إذا كانت الخدمة قد انتقلت، فغيّر عنوان الاتصال؛ أما صفحة تسجيل الدخول فتعني أن العنوان خاطئ.</translation>
</message>
<message>
<source>If the service publishes no OpenAPI document.</source>
<translation>إذا كانت الخدمة لا تنشر مستند OpenAPI.</translation>
</message>
<message>
<source>If this happens often, the shop needs a larger plan.</source>
<translation>إذا تكرر ذلك كثيرًا، فالمتجر بحاجة إلى باقة أكبر.</translation>
</message>
<message>
<source>If this is the right server, set its authority’s certificate as the connection’s CA file.</source>
<translation>إذا كان هذا هو الخادم الصحيح، فاجعل شهادة جهة الإصدار ملف CA للاتصال.</translation>
</message>
<message>
<source>If you know your plan, choose it in File, Connection settings.</source>
<translation>إذا كنت تعرف باقتك، فاخترها في ملف &gt; إعدادات الاتصال.</translation>
</message>
<message>
<source>If you send now, the key may be banned. Then nothing works with it for hours.</source>
<translation>إذا أرسلت الآن، فقد يُحظر المفتاح. وعندئذ لا يعمل به شيء لساعات.</translation>
</message>
<message>
<source>If you trust that address, choose it as the connection’s document.</source>
<translation>إذا كنت تثق بذلك العنوان، فاختره مستندًا للاتصال.</translation>
</message>
<message>
<source>If your scanner types something before or after each code, enter it here. Leave Enter and Tab out.</source>
<translation>إذا كان ماسحك يكتب شيئًا قبل كل رمز أو بعده، فأدخله هنا. ولا تُدخل Enter وTab.</translation>
</message>
<message>
<source>Import</source>
<translation>استيراد</translation>
</message>
<message>
<source>Import as</source>
<translation>استيراد بصفته</translation>
</message>
<message>
<source>Import bar codes</source>
<translation>استيراد الرموز الشريطية</translation>
</message>
<message>
<source>Import column {name} as</source>
<translation>استيراد العمود {name} بصفته</translation>
</message>
<message>
<source>Import of {file}</source>
<translation>استيراد {file}</translation>
</message>
<message>
<source>Import of {file} by a script</source>
<translation>استيراد {file} بنص برمجي</translation>
</message>
<message>
<source>Import views</source>
<translation>استيراد طرق العرض</translation>
</message>
<message>
<source>Import {file}</source>
<translation>استيراد {file}</translation>
</message>
<message>
<source>Imported before</source>
<translation>سبق استيراده</translation>
</message>
<message>
<source>Import…</source>
<translation>استيراد…</translation>
</message>
<message>
<source>In conflict</source>
<translation>متعارض</translation>
</message>
<message>
<source>In millimetres, as the box of the labels says. A roll has one label across and one down.</source>
<translation>بالمليمتر، كما هو مكتوب على علبة الملصقات. في اللفة ملصق واحد عرضًا وواحد طولًا.</translation>
</message>
<message numerus="yes">
<source>In row {n}</source>
<translation>
<numerusform>في الصف {n}</numerusform>
<numerusform>في الصف {n}</numerusform>
<numerusform>في الصف {n}</numerusform>
<numerusform>في الصف {n}</numerusform>
<numerusform>في الصف {n}</numerusform>
<numerusform>في الصف {n}</numerusform>
</translation>
</message>
<message>
<source>In stock</source>
<translation>في المخزون</translation>
</message>
<message numerus="yes">
<source>In stock {stock}, but {n} are on order.</source>
<translation>
<numerusform>في المخزون {stock}، لكن المطلوب في الطلبيات {n}.</numerusform>
<numerusform>في المخزون {stock}، لكن المطلوب في الطلبيات {n}.</numerusform>
<numerusform>في المخزون {stock}، لكن المطلوب في الطلبيات {n}.</numerusform>
<numerusform>في المخزون {stock}، لكن المطلوب في الطلبيات {n}.</numerusform>
<numerusform>في المخزون {stock}، لكن المطلوب في الطلبيات {n}.</numerusform>
<numerusform>في المخزون {stock}، لكن المطلوب في الطلبيات {n}.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>In stock {stock}, {n} on order.</source>
<translation>
<numerusform>في المخزون {stock}، والمطلوب في الطلبيات {n}.</numerusform>
<numerusform>في المخزون {stock}، والمطلوب في الطلبيات {n}.</numerusform>
<numerusform>في المخزون {stock}، والمطلوب في الطلبيات {n}.</numerusform>
<numerusform>في المخزون {stock}، والمطلوب في الطلبيات {n}.</numerusform>
<numerusform>في المخزون {stock}، والمطلوب في الطلبيات {n}.</numerusform>
<numerusform>في المخزون {stock}، والمطلوب في الطلبيات {n}.</numerusform>
</translation>
</message>
<message>
<source>In stock {stock}.</source>
<translation>في المخزون {stock}.</translation>
</message>
<message>
<source>In stock, each</source>
<translation>المخزون لكل منها</translation>
</message>
<message>
<source>In the order of the screen. Ids keep all their digits, and no text becomes a formula.</source>
<translation>بترتيب الشاشة. تحتفظ المعرّفات بكل أرقامها، ولا يتحول أي نص إلى صيغة حسابية.</translation>
</message>
<message>
<source>In the rehearsal: {what}.</source>
<translation>في المحاكاة: {what}.</translation>
</message>
<message>
<source>Include it</source>
<translation>تضمينه</translation>
</message>
<message>
<source>Incomplete</source>
<translation>ناقصة</translation>
</message>
<message>
<source>Incomplete orders</source>
<translation>طلبيات ناقصة</translation>
</message>
<message>
<source>Install the later version again.</source>
<translation>ثبّت الإصدار الأحدث مرة أخرى.</translation>
</message>
<message>
<source>Invented pets and orders, with real request limits. Runs on this computer; no account needed.</source>
<translation>حيوانات وطلبيات مختلقة، بحدود طلبات حقيقية. يعمل على هذا الكمبيوتر؛ ولا حاجة إلى حساب.</translation>
</message>
<message>
<source>Inventory</source>
<translation>المخزون</translation>
</message>
<message>
<source>It answered {said}.</source>
<translation>ردت: {said}.</translation>
</message>
<message>
<source>It cannot work just now, and answered {said}.</source>
<translation>لا تستطيع العمل الآن، وردت: {said}.</translation>
</message>
<message>
<source>It continues where it stopped.</source>
<translation>تُستأنف من حيث توقفت.</translation>
</message>
<message>
<source>It could also be {endpoint}.</source>
<translation>قد تكون {endpoint} أيضًا.</translation>
</message>
<message>
<source>It counts {counts}.</source>
<translation>لدى الخدمة: {counts}.</translation>
</message>
<message>
<source>It did not say clearly how long, so the program waits longer each time.</source>
<translation>لم تذكر المدة بوضوح، لذا ينتظر البرنامج مدة أطول في كل مرة.</translation>
</message>
<message>
<source>It does not say its limits; the program counts by the plan that you gave.</source>
<translation>لا تُعلن الخدمة حدودها؛ يحسب البرنامج وفق الباقة التي حددتها.</translation>
</message>
<message>
<source>It does so when a program keeps sending after it was asked to wait.</source>
<translation>تفعل ذلك عندما يواصل برنامج الإرسال بعد أن طُلب منه الانتظار.</translation>
</message>
<message>
<source>It gets a data folder of its own; this shop stays.</source>
<translation>يحصل على مجلد بيانات خاص به؛ ويبقى هذا المتجر.</translation>
</message>
<message>
<source>It goes into this computer’s keyring if it has one, never into a file.</source>
<translation>يُحفظ في سلسلة مفاتيح هذا الكمبيوتر إن وُجدت، ولا يُكتب في ملف أبدًا.</translation>
</message>
<message>
<source>It has no id, so it is new. {reason}</source>
<translation>ليس له معرّف، فهو جديد. {reason}</translation>
</message>
<message>
<source>It has no list to read, so none was tried.</source>
<translation>ليست فيها قائمة تُقرأ، لذا لم تُجرَّب أي قائمة.</translation>
</message>
<message>
<source>It is back: what you did goes out by itself.</source>
<translation>عاد الاتصال: ما فعلته يُرسل وحده.</translation>
</message>
<message>
<source>It is checked when sending resumes</source>
<translation>يتم التحقق منه عند استئناف الإرسال</translation>
</message>
<message>
<source>It is full again at {time}.</source>
<translation>تكتمل من جديد: {time}.</translation>
</message>
<message>
<source>It is kept in the history and in the protocol.</source>
<translation>تُحفظ في المحفوظات وفي المحضر.</translation>
</message>
<message>
<source>It is not certain which record a change of {things} would reach by this id: {name}. So they are only read.</source>
<translation>ليس مؤكدًا أي سجل سيصيبه تغيير {things} بهذا المعرّف: {name}. لذلك تُقرأ فقط.</translation>
</message>
<message>
<source>It is not certain which record {shop} would change by this id. A profile says what its ids mean (File &gt; Operations &gt; Save as profile).</source>
<translation>ليس مؤكدًا أي سجل سيغيّره {shop} بهذا المعرّف. الملف التعريفي يحدد معنى المعرّفات (ملف &gt; العمليات &gt; حفظ كملف تعريفي).</translation>
</message>
<message numerus="yes">
<source>It is not known whether {changes} arrived: check at the service before you make them again.</source>
<translation>
<numerusform>لا يُعرف هل وصل {changes}: تحقق لدى الخدمة قبل إعادة إجرائه.</numerusform>
<numerusform>لا يُعرف هل وصل {changes}: تحقق لدى الخدمة قبل إعادة إجرائه.</numerusform>
<numerusform>لا يُعرف هل وصل {changes}: تحقق لدى الخدمة قبل إعادة إجرائهما.</numerusform>
<numerusform>لا يُعرف هل وصلت {changes}: تحقق لدى الخدمة قبل إعادة إجرائها.</numerusform>
<numerusform>لا يُعرف هل وصل {changes}: تحقق لدى الخدمة قبل إعادة إجرائها.</numerusform>
<numerusform>لا يُعرف هل وصل {changes}: تحقق لدى الخدمة قبل إعادة إجرائها.</numerusform>
</translation>
</message>
<message>
<source>It is read from the service now, and stays in the list here.</source>
<translation>يُقرأ من الخدمة الآن، ويبقى في القائمة هنا.</translation>
</message>
<message>
<source>It is sent in the address, as {name}.</source>
<translation>يُرسل في العنوان، باسم {name}.</translation>
</message>
<message>
<source>It is sent in the header {name}.</source>
<translation>يُرسل في الترويسة {name}.</translation>
</message>
<message>
<source>It is unchanged, with everything saved. Until it is upgraded nothing can be changed or sent.</source>
<translation>لم يتغير الملف، وكل ما حُفظ فيه باقٍ. وحتى تتم ترقيته لا يمكن تغيير شيء أو إرساله.</translation>
</message>
<message>
<source>It is {status} already.</source>
<translation>حالته بالفعل: {status}.</translation>
</message>
<message>
<source>It may be a colleague’s. Keep mine deletes it.</source>
<translation>قد يكون لزميل. «الاحتفاظ بقيمتي» يحذفه.</translation>
</message>
<message>
<source>It may be done or not; nothing is sent twice by itself.</source>
<translation>ربما تم ذلك وربما لا؛ ولا يُرسل شيء مرتين تلقائيًا.</translation>
</message>
<message>
<source>It may be overloaded. Try again later, or ask its provider.</source>
<translation>قد تكون مثقلة. أعد المحاولة لاحقًا، أو اسأل مزوّدها.</translation>
</message>
<message>
<source>It may have arrived; the service does not show whether it did. The program does not send it again by itself.</source>
<translation>ربما وصل؛ ولا تُظهر الخدمة هل وصل. ولا يعيد البرنامج إرساله تلقائيًا.</translation>
</message>
<message>
<source>It offers all {of} operations.</source>
<translation>تتيح كل العمليات، وعددها {of}.</translation>
</message>
<message>
<source>It offers {offered} of the {of} operations that the program uses.</source>
<translation>تتيح {offered} من العمليات التي يستخدمها البرنامج، وعددها {of}.</translation>
</message>
<message>
<source>It refused again, so the program waits longer than it asked.</source>
<translation>رفضت مرة أخرى، لذا ينتظر البرنامج مدة أطول مما طلبت.</translation>
</message>
<message>
<source>It says how many requests are left: {remaining} of {limit}.</source>
<translation>تُعلن الخدمة عدد الطلبات المتبقية: {remaining} من {limit}.</translation>
</message>
<message>
<source>It says how many requests are left: {remaining}, but not of how many.</source>
<translation>تُعلن الخدمة عدد الطلبات المتبقية: {remaining}، لكنها لا تذكر من كم.</translation>
</message>
<message>
<source>It takes {price}.</source>
<translation>يتطلب ذلك: {price}.</translation>
</message>
<message numerus="yes">
<source>It took {n} requests, all of them reads.</source>
<translation>
<numerusform>لم يتطلب ذلك أي طلب.</numerusform>
<numerusform>تطلب ذلك طلبًا واحدًا، للقراءة.</numerusform>
<numerusform>تطلب ذلك طلبين، كلاهما للقراءة.</numerusform>
<numerusform>تطلب ذلك {n} طلبات، كلها للقراءة.</numerusform>
<numerusform>تطلب ذلك {n} طلبًا، كلها للقراءة.</numerusform>
<numerusform>تطلب ذلك {n} طلب، كلها للقراءة.</numerusform>
</translation>
</message>
<message>
<source>It was asked when the pets were read, {age}.</source>
<translation>سُئلت الخدمة عن ذلك عند قراءة الحيوانات، {age}.</translation>
</message>
<message>
<source>It was done</source>
<translation>تم بالفعل</translation>
</message>
<message>
<source>Its data on this computer is removed. No key was removed, because no keyring was found.</source>
<translation>حُذفت بياناته من هذا الكمبيوتر. ولم يُحذف أي مفتاح، لعدم العثور على سلسلة مفاتيح.</translation>
</message>
<message>
<source>Its document cannot be loaded. It answers at the standard paths, so the nine standard operations are used.</source>
<translation>تعذر تحميل مستند الخدمة. لكنها ترد في المسارات القياسية، لذا تُستخدم العمليات القياسية التسع.</translation>
</message>
<message>
<source>Its document has no operation that lists {things}.</source>
<translation>لا توجد في مستندها عملية تسرد {things}.</translation>
</message>
<message>
<source>Its key and its data on this computer are removed.</source>
<translation>حُذف مفتاحه وبياناته من هذا الكمبيوتر.</translation>
</message>
<message>
<source>Jobs</source>
<translation>المهام</translation>
</message>
<message>
<source>Keep</source>
<translation>إبقاء</translation>
</message>
<message>
<source>Keep editing</source>
<translation>مواصلة التحرير</translation>
</message>
<message>
<source>Keep mine</source>
<translation>الاحتفاظ بقيمتي</translation>
</message>
<message>
<source>Keep the program’s data in a folder on this computer.</source>
<translation>احفظ بيانات البرنامج في مجلد على هذا الكمبيوتر.</translation>
</message>
<message>
<source>Keep these changes…</source>
<translation>الاحتفاظ بهذه التغييرات…</translation>
</message>
<message>
<source>Keep waiting</source>
<translation>مواصلة الانتظار</translation>
</message>
<message>
<source>Keep working. If this happens often, the shop needs a larger plan.</source>
<translation>تابع عملك. وإذا تكرر ذلك كثيرًا، فالمتجر بحاجة إلى باقة أكبر.</translation>
</message>
<message>
<source>Keep working: it goes on by itself.</source>
<translation>تابع عملك: سيُستأنف تلقائيًا.</translation>
</message>
<message>
<source>Keep working: the program keeps trying, then sends your changes.</source>
<translation>تابع عملك: يواصل البرنامج المحاولة، ثم يرسل تغييراتك.</translation>
</message>
<message>
<source>Keep working; it goes on by itself.</source>
<translation>تابع عملك؛ سيُستأنف تلقائيًا.</translation>
</message>
<message>
<source>Kept in this computer’s keyring if it has one, never in a file.</source>
<translation>يُحفظ في سلسلة مفاتيح هذا الكمبيوتر إن وُجدت، ولا يُحفظ في ملف أبدًا.</translation>
</message>
<message>
<source>Key</source>
<translation>المفتاح</translation>
</message>
<message>
<source>Key for {shop}</source>
<translation>مفتاح {shop}</translation>
</message>
<message>
<source>Key {name}</source>
<translation>المفتاح {name}</translation>
</message>
<message>
<source>Key {name} (header {parameter})</source>
<translation>المفتاح {name} (الترويسة {parameter})</translation>
</message>
<message>
<source>Key {name} (in the address, as {parameter})</source>
<translation>المفتاح {name} (في العنوان، باسم {parameter})</translation>
</message>
<message>
<source>Keys and marks</source>
<translation>مفاتيح الاختصار والعلامات</translation>
</message>
<message>
<source>Label of {name}</source>
<translation>ملصق {name}</translation>
</message>
<message>
<source>Label {page} of {pages}</source>
<translation>الملصق {page} من {pages}</translation>
</message>
<message>
<source>Label {place}</source>
<translation>الملصق {place}</translation>
</message>
<message>
<source>Label, height</source>
<translation>ارتفاع الملصق</translation>
</message>
<message>
<source>Label, width</source>
<translation>عرض الملصق</translation>
</message>
<message>
<source>Labels</source>
<translation>الملصقات</translation>
</message>
<message>
<source>Labels across</source>
<translation>عدد الملصقات عرضًا</translation>
</message>
<message>
<source>Labels down</source>
<translation>عدد الملصقات طولًا</translation>
</message>
<message>
<source>Labels of each pet</source>
<translation>ملصقات كل حيوان</translation>
</message>
<message>
<source>Language</source>
<translation>اللغة</translation>
</message>
<message>
<source>Language and preferences</source>
<translation>اللغة والتفضيلات</translation>
</message>
<message>
<source>Last month</source>
<translation>الشهر الماضي</translation>
</message>
<message>
<source>Last scan</source>
<translation>آخر مسح</translation>
</message>
<message>
<source>Last scanned</source>
<translation>آخر مسح</translation>
</message>
<message>
<source>Last week</source>
<translation>الأسبوع الماضي</translation>
</message>
<message numerus="yes">
<source>Last {n} days</source>
<translation>
<numerusform>آخر {n} يوم</numerusform>
<numerusform>آخر يوم</numerusform>
<numerusform>آخر يومين</numerusform>
<numerusform>آخر {n} أيام</numerusform>
<numerusform>آخر {n} يومًا</numerusform>
<numerusform>آخر {n} يوم</numerusform>
</translation>
</message>
<message numerus="yes">
<source>Last {n} hours</source>
<translation>
<numerusform>آخر {n} ساعة</numerusform>
<numerusform>آخر ساعة</numerusform>
<numerusform>آخر ساعتين</numerusform>
<numerusform>آخر {n} ساعات</numerusform>
<numerusform>آخر {n} ساعة</numerusform>
<numerusform>آخر {n} ساعة</numerusform>
</translation>
</message>
<message>
<source>Lasts until they are full again: at this pace ≈ {count} by {time}</source>
<translation>تكفي إلى أن تكتمل من جديد: بهذه الوتيرة ≈ {count} حتى {time}</translation>
</message>
<message>
<source>Lasts until {time} at this pace.</source>
<translation>تكفي حتى {time} بهذه الوتيرة.</translation>
</message>
<message>
<source>Late</source>
<translation>التأخير</translation>
</message>
<message>
<source>Later</source>
<translation>لاحقًا</translation>
</message>
<message>
<source>Later</source>
<comment>orders due after this week</comment>
<translation>لاحقًا</translation>
</message>
<message>
<source>Latin-1, Western</source>
<translation>أوروبا الغربية (Latin-1)</translation>
</message>
<message>
<source>Latin-9, Western</source>
<translation>أوروبا الغربية (Latin-9)</translation>
</message>
<message>
<source>Laying out the report…</source>
<translation>جارٍ إعداد التقرير…</translation>
</message>
<message numerus="yes">
<source>Leave out their stock</source>
<translation>
<numerusform>استبعاد مخزونها</numerusform>
<numerusform>استبعاد مخزونه</numerusform>
<numerusform>استبعاد مخزونهما</numerusform>
<numerusform>استبعاد مخزونها</numerusform>
<numerusform>استبعاد مخزونها</numerusform>
<numerusform>استبعاد مخزونها</numerusform>
</translation>
</message>
<message>
<source>Left out</source>
<translation>مستبعد</translation>
</message>
<message>
<source>Left out with the record it belongs to</source>
<translation>مستبعد مع السجل الذي يتبعه</translation>
</message>
<message>
<source>Less</source>
<translation>أقل</translation>
</message>
<message>
<source>Licences</source>
<translation>الرخص</translation>
</message>
<message>
<source>Light</source>
<translation>فاتحة</translation>
</message>
<message>
<source>Limit not known</source>
<translation>الحد غير معروف</translation>
</message>
<message>
<source>Limits</source>
<translation>الحدود</translation>
</message>
<message numerus="yes">
<source>Limits {n} a day</source>
<translation>
<numerusform>الحد {n} في اليوم</numerusform>
<numerusform>الحد {n} في اليوم</numerusform>
<numerusform>الحد {n} في اليوم</numerusform>
<numerusform>الحد {n} في اليوم</numerusform>
<numerusform>الحد {n} في اليوم</numerusform>
<numerusform>الحد {n} في اليوم</numerusform>
</translation>
</message>
<message numerus="yes">
<source>Limits {n} a minute</source>
<translation>
<numerusform>الحد {n} في الدقيقة</numerusform>
<numerusform>الحد {n} في الدقيقة</numerusform>
<numerusform>الحد {n} في الدقيقة</numerusform>
<numerusform>الحد {n} في الدقيقة</numerusform>
<numerusform>الحد {n} في الدقيقة</numerusform>
<numerusform>الحد {n} في الدقيقة</numerusform>
</translation>
</message>
<message>
<source>Lines</source>
<translation>الأسطر</translation>
</message>
<message>
<source>List</source>
<translation>القائمة</translation>
</message>
<message>
<source>List categories</source>
<translation>سرد الفئات</translation>
</message>
<message>
<source>List orders</source>
<translation>سرد الطلبيات</translation>
</message>
<message>
<source>List pets</source>
<translation>سرد الحيوانات</translation>
</message>
<message>
<source>List stock</source>
<translation>سرد المخزون</translation>
</message>
<message>
<source>Loading…</source>
<translation>جارٍ التحميل…</translation>
</message>
<message>
<source>Loo&amp;k up by id…</source>
<translation>بحث &amp;بالمعرّف…</translation>
</message>
<message>
<source>Look at it</source>
<translation>عرضه</translation>
</message>
<message>
<source>Look at them</source>
<translation>عرضها</translation>
</message>
<message>
<source>Look up</source>
<translation>بحث</translation>
</message>
<message>
<source>Look up a category</source>
<translation>البحث عن فئة</translation>
</message>
<message>
<source>Look up a pet</source>
<translation>البحث عن حيوان</translation>
</message>
<message>
<source>Look up an order</source>
<translation>البحث عن طلبية</translation>
</message>
<message>
<source>Look up category #{id} at the shop</source>
<translation>البحث عن الفئة #{id} لدى المتجر</translation>
</message>
<message>
<source>Look up one category</source>
<translation>البحث عن فئة واحدة</translation>
</message>
<message>
<source>Look up one order</source>
<translation>البحث عن طلبية واحدة</translation>
</message>
<message>
<source>Look up one pet</source>
<translation>البحث عن حيوان واحد</translation>
</message>
<message>
<source>Look up order #{id} at the shop</source>
<translation>البحث عن الطلبية #{id} لدى المتجر</translation>
</message>
<message>
<source>Look up pet #{id} at the shop</source>
<translation>البحث عن الحيوان #{id} لدى المتجر</translation>
</message>
<message>
<source>Look up single records by id; they stay here.</source>
<translation>ابحث عن السجلات واحدًا واحدًا بالمعرّف؛ وتبقى هنا.</translation>
</message>
<message>
<source>Look up the stock of a pet</source>
<translation>البحث عن مخزون حيوان</translation>
</message>
<message>
<source>Look up the stock of one pet</source>
<translation>البحث عن مخزون حيوان واحد</translation>
</message>
<message>
<source>Look up the stock of pet #{id} at the shop</source>
<translation>البحث عن مخزون الحيوان #{id} لدى المتجر</translation>
</message>
<message>
<source>Looking for unsent changes…</source>
<translation>جارٍ البحث عن تغييرات غير مرسلة…</translation>
</message>
<message>
<source>Low</source>
<translation>منخفض</translation>
</message>
<message>
<source>Low stock</source>
<translation>مخزون منخفض</translation>
</message>
<message>
<source>Low stock by category</source>
<translation>المخزون المنخفض حسب الفئة</translation>
</message>
<message>
<source>Low stock now</source>
<translation>الحيوانات المنخفض مخزونها الآن</translation>
</message>
<message numerus="yes">
<source>Low stock now: {n} pets</source>
<translation>
<numerusform>الحيوانات المنخفض مخزونها الآن: {n}</numerusform>
<numerusform>الحيوانات المنخفض مخزونها الآن: {n}</numerusform>
<numerusform>الحيوانات المنخفض مخزونها الآن: {n}</numerusform>
<numerusform>الحيوانات المنخفض مخزونها الآن: {n}</numerusform>
<numerusform>الحيوانات المنخفض مخزونها الآن: {n}</numerusform>
<numerusform>الحيوانات المنخفض مخزونها الآن: {n}</numerusform>
</translation>
</message>
<message>
<source>M&amp;ark open</source>
<translation>تعيين كمف&amp;توحة</translation>
</message>
<message>
<source>Mac, Western</source>
<translation>أوروبا الغربية (Mac)</translation>
</message>
<message>
<source>Manual</source>
<translation>الدليل</translation>
</message>
<message>
<source>Manual of Pet Store Desktop</source>
<translation>دليل Pet Store Desktop</translation>
</message>
<message>
<source>Margin at the left</source>
<translation>الهامش الأيسر</translation>
</message>
<message>
<source>Margin at the top</source>
<translation>الهامش العلوي</translation>
</message>
<message>
<source>Marks</source>
<translation>العلامات</translation>
</message>
<message>
<source>Menu</source>
<translation>القائمة</translation>
</message>
<message>
<source>Menu (F10)</source>
<translation>القائمة (F10)</translation>
</message>
<message>
<source>Method</source>
<translation>الأسلوب</translation>
</message>
<message>
<source>Mine</source>
<translation>قيمتي</translation>
</message>
<message>
<source>Mine: {mine}. At the shop: {theirs}.</source>
<translation>قيمتي: {mine}. لدى المتجر: {theirs}.</translation>
</message>
<message>
<source>Minimum</source>
<translation>الحد الأدنى</translation>
</message>
<message>
<source>Minimum stock of {what}</source>
<translation>الحد الأدنى للمخزون: {what}</translation>
</message>
<message>
<source>Minimum stock of {what}: {n}</source>
<translation>الحد الأدنى للمخزون، {what}: {n}</translation>
</message>
<message>
<source>Minimum stock of {what}: {n}, order up to {most}</source>
<translation>الحد الأدنى للمخزون، {what}: {n}، الطلب حتى {most}</translation>
</message>
<message>
<source>Minimum stock removed: {what}</source>
<translation>تمت إزالة الحد الأدنى للمخزون: {what}</translation>
</message>
<message>
<source>Minimum stock set: {what}</source>
<translation>تم تعيين الحد الأدنى للمخزون: {what}</translation>
</message>
<message>
<source>Minute</source>
<translation>الدقيقة</translation>
</message>
<message>
<source>Missing: {missing}.</source>
<translation>غير متوفر: {missing}.</translation>
</message>
<message>
<source>Month/Day/Year</source>
<translation>شهر/يوم/سنة</translation>
</message>
<message>
<source>Monthly report: l&amp;ast month…</source>
<translation>التقرير الشهري: الشهر الماض&amp;ي…</translation>
</message>
<message>
<source>Monthly report: t&amp;his month…</source>
<translation>التقرير الشهري: هذا ال&amp;شهر…</translation>
</message>
<message>
<source>More</source>
<translation>المزيد</translation>
</message>
<message>
<source>More actions</source>
<translation>إجراءات أخرى</translation>
</message>
<message numerus="yes">
<source>More may belong to them, because not all of it was read: {lists}.</source>
<translation>
<numerusform>قد يتبعه المزيد، لأن هذه القوائم لم تُقرأ كاملة: {lists}.</numerusform>
<numerusform>قد يتبعه المزيد، لأن هذه القوائم لم تُقرأ كاملة: {lists}.</numerusform>
<numerusform>قد يتبعه المزيد، لأن هذه القوائم لم تُقرأ كاملة: {lists}.</numerusform>
<numerusform>قد يتبعه المزيد، لأن هذه القوائم لم تُقرأ كاملة: {lists}.</numerusform>
<numerusform>قد يتبعه المزيد، لأن هذه القوائم لم تُقرأ كاملة: {lists}.</numerusform>
<numerusform>قد يتبعه المزيد، لأن هذه القوائم لم تُقرأ كاملة: {lists}.</numerusform>
</translation>
</message>
<message>
<source>More of this pet</source>
<translation>المزيد عن هذا الحيوان</translation>
</message>
<message>
<source>More ordered than in stock</source>
<translation>المطلوب أكثر من المخزون</translation>
</message>
<message>
<source>More, in English</source>
<translation>المزيد، بالإنجليزية</translation>
</message>
<message>
<source>More: plan, document, certificates</source>
<translation>المزيد: الباقة والمستند والشهادات</translation>
</message>
<message numerus="yes">
<source>Most often, as in row {row}: {reason}</source>
<translation>
<numerusform>الصف {row}: {reason}</numerusform>
<numerusform>الصف {row}: {reason}</numerusform>
<numerusform>الأكثر تكرارًا، كما في الصف {row}: {reason}</numerusform>
<numerusform>الأكثر تكرارًا، كما في الصف {row}: {reason}</numerusform>
<numerusform>الأكثر تكرارًا، كما في الصف {row}: {reason}</numerusform>
<numerusform>الأكثر تكرارًا، كما في الصف {row}: {reason}</numerusform>
</translation>
</message>
<message>
<source>Move this view &amp;up</source>
<translation>ن&amp;قل طريقة العرض هذه لأعلى</translation>
</message>
<message>
<source>Move this view d&amp;own</source>
<translation>نقل طريقة العرض هذه لأ&amp;سفل</translation>
</message>
<message>
<source>Move {things} to {value}</source>
<translation>نقل إلى «{value}»: {things}</translation>
</message>
<message>
<source>Move {view} down</source>
<translation>نقل {view} لأسفل</translation>
</message>
<message>
<source>Move {view} up</source>
<translation>نقل {view} لأعلى</translation>
</message>
<message>
<source>Name</source>
<translation>الاسم</translation>
</message>
<message>
<source>Name in the service</source>
<translation>الاسم لدى الخدمة</translation>
</message>
<message>
<source>Name in the service for “{what}”</source>
<translation>الاسم لدى الخدمة لـ «{what}»</translation>
</message>
<message>
<source>Name of the shop</source>
<translation>اسم المتجر</translation>
</message>
<message>
<source>Name or id</source>
<translation>اسم أو معرّف</translation>
</message>
<message>
<source>Name or id of the pet</source>
<translation>اسم الحيوان أو معرّفه</translation>
</message>
<message>
<source>Names</source>
<translation>الأسماء</translation>
</message>
<message>
<source>Names, one per line</source>
<translation>الأسماء، اسم في كل سطر</translation>
</message>
<message>
<source>Ne&amp;w order…</source>
<translation>&amp;طلبية جديدة…</translation>
</message>
<message>
<source>Needs attenti&amp;on</source>
<translation>&amp;يتطلب الانتباه</translation>
</message>
<message>
<source>Needs attention</source>
<translation>يتطلب الانتباه</translation>
</message>
<message>
<source>New</source>
<comment>a record that is new</comment>
<translation>جديد</translation>
</message>
<message>
<source>New</source>
<comment>rows of a file</comment>
<translation>جديد</translation>
</message>
<message>
<source>New &amp;category…</source>
<translation>&amp;فئة جديدة…</translation>
</message>
<message>
<source>New &amp;pet…</source>
<translation>&amp;حيوان جديد…</translation>
</message>
<message>
<source>New category</source>
<translation>فئة جديدة</translation>
</message>
<message>
<source>New category {name}</source>
<translation>فئة جديدة {name}</translation>
</message>
<message>
<source>New changes show here until they are sent.</source>
<translation>تظهر التغييرات الجديدة هنا إلى أن تُرسل.</translation>
</message>
<message>
<source>New count</source>
<translation>جرد جديد</translation>
</message>
<message>
<source>New order</source>
<translation>طلبية جديدة</translation>
</message>
<message>
<source>New orders</source>
<translation>طلبيات جديدة</translation>
</message>
<message>
<source>New pet</source>
<translation>حيوان جديد</translation>
</message>
<message>
<source>New pet {name}</source>
<translation>حيوان جديد {name}</translation>
</message>
<message>
<source>New pets</source>
<translation>حيوانات جديدة</translation>
</message>
<message>
<source>New records get numbers for ids here.</source>
<translation>تحصل السجلات الجديدة هنا على أرقام لتكون معرّفاتها.</translation>
</message>
<message>
<source>New s&amp;tock entry…</source>
<translation>&amp;قيد مخزون جديد…</translation>
</message>
<message>
<source>New value</source>
<translation>القيمة الجديدة</translation>
</message>
<message>
<source>Newer versions</source>
<translation>الإصدارات الأحدث</translation>
</message>
<message>
<source>Next</source>
<translation>التالي</translation>
</message>
<message>
<source>Next month</source>
<translation>الشهر التالي</translation>
</message>
<message>
<source>Next page</source>
<translation>الصفحة التالية</translation>
</message>
<message>
<source>Next sheet</source>
<translation>الورقة التالية</translation>
</message>
<message>
<source>No answer</source>
<translation>بلا رد</translation>
</message>
<message>
<source>No category</source>
<translation>بلا فئة</translation>
</message>
<message>
<source>No category matches {filter}</source>
<translation>لا فئة تطابق {filter}</translation>
</message>
<message>
<source>No change</source>
<translation>دون تغيير</translation>
</message>
<message>
<source>No change is known between {then} and {now}.</source>
<translation>لا يُعرف أي تغيير بين {then} و{now}.</translation>
</message>
<message>
<source>No change is known in these days.</source>
<translation>لا يُعرف أي تغيير في هذه الأيام.</translation>
</message>
<message>
<source>No change is known since {time}.</source>
<translation>لا يُعرف أي تغيير منذ {time}.</translation>
</message>
<message>
<source>No change is refused, in conflict or unconfirmed.</source>
<translation>لا تغيير مرفوض أو متعارض أو غير مؤكد.</translation>
</message>
<message>
<source>No change of this record is known, neither yours nor anybody else’s.</source>
<translation>لا يُعرف أي تغيير في هذا السجل، لا منك ولا من غيرك.</translation>
</message>
<message>
<source>No changes yet</source>
<translation>لا تغييرات بعد</translation>
</message>
<message>
<source>No code is remembered yet.</source>
<translation>لم يُحفظ أي رمز بعد.</translation>
</message>
<message>
<source>No colour</source>
<translation>بلا لون</translation>
</message>
<message numerus="yes">
<source>No column surely says how many came: each of the {n} pasted lines counts as 1. Undo takes all of them back.</source>
<translation>
<numerusform>لا يوجد عمود يحدد العدد بوضوح: لم يُلصق أي سطر.</numerusform>
<numerusform>لا يوجد عمود يحدد العدد بوضوح: يُحسب السطر الملصق 1.</numerusform>
<numerusform>لا يوجد عمود يحدد العدد بوضوح: يُحسب كل من السطرين الملصقين 1. و«تراجع» يزيلهما معًا.</numerusform>
<numerusform>لا يوجد عمود يحدد العدد بوضوح: يُحسب كل من الأسطر الملصقة ({n}) 1. و«تراجع» يزيلها كلها.</numerusform>
<numerusform>لا يوجد عمود يحدد العدد بوضوح: يُحسب كل من الأسطر الملصقة ({n}) 1. و«تراجع» يزيلها كلها.</numerusform>
<numerusform>لا يوجد عمود يحدد العدد بوضوح: يُحسب كل من الأسطر الملصقة ({n}) 1. و«تراجع» يزيلها كلها.</numerusform>
</translation>
</message>
<message>
<source>No date</source>
<translation>بلا تاريخ</translation>
</message>
<message>
<source>No filter can exclude just this.</source>
<translation>لا يمكن لأي عامل تصفية استثناء هذا وحده.</translation>
</message>
<message>
<source>No filter is set.</source>
<translation>لا يوجد عامل تصفية.</translation>
</message>
<message>
<source>No history</source>
<translation>لا محفوظات</translation>
</message>
<message>
<source>No limits</source>
<translation>بلا حدود</translation>
</message>
<message>
<source>No longer in stock</source>
<translation>لم يعد في المخزون</translation>
</message>
<message>
<source>No longer there</source>
<translation>لم يعد موجودًا</translation>
</message>
<message>
<source>No matching change</source>
<translation>لا تغيير مطابق</translation>
</message>
<message>
<source>No minimum stock is set</source>
<translation>لم يُعيَّن حد أدنى للمخزون</translation>
</message>
<message>
<source>No more than {most} labels at once.</source>
<translation>لا يمكن طباعة أكثر من {most} ملصق دفعة واحدة.</translation>
</message>
<message>
<source>No name stands twice in a category</source>
<translation>لا يتكرر اسم في فئة</translation>
</message>
<message numerus="yes">
<source>No network for {n} seconds</source>
<translation>
<numerusform>لا شبكة لمدة {n} ثانية</numerusform>
<numerusform>لا شبكة لمدة ثانية</numerusform>
<numerusform>لا شبكة لمدة ثانيتين</numerusform>
<numerusform>لا شبكة لمدة {n} ثوانٍ</numerusform>
<numerusform>لا شبكة لمدة {n} ثانية</numerusform>
<numerusform>لا شبكة لمدة {n} ثانية</numerusform>
</translation>
</message>
<message>
<source>No open orders</source>
<translation>لا طلبيات مفتوحة</translation>
</message>
<message>
<source>No order is overdue</source>
<translation>لا طلبية متأخرة</translation>
</message>
<message>
<source>No order is overdue, and no pet is low.</source>
<translation>لا طلبية متأخرة، ولا حيوان منخفض المخزون.</translation>
</message>
<message>
<source>No order is overdue.</source>
<translation>لا طلبية متأخرة.</translation>
</message>
<message>
<source>No order matches {filter}</source>
<translation>لا طلبية تطابق {filter}</translation>
</message>
<message>
<source>No page has these words. Try fewer, or others.</source>
<translation>لا توجد صفحة فيها هذه الكلمات. جرّب كلمات أقل أو غيرها.</translation>
</message>
<message>
<source>No path of the document names pets, categories, orders or stock, so nothing is used.</source>
<translation>لا يذكر أي مسار في المستند الحيوانات أو الفئات أو الطلبيات أو المخزون، لذا لا يُستخدم شيء منه.</translation>
</message>
<message>
<source>No pet has the code {code}</source>
<translation>لا حيوان له الرمز {code}</translation>
</message>
<message>
<source>No pet has the id {id}. To enter that many pieces, type {typed}.</source>
<translation>لا حيوان له المعرّف {id}. لإدخال هذا العدد من الوحدات، اكتب {typed}.</translation>
</message>
<message>
<source>No pet has this code yet</source>
<translation>لا حيوان له هذا الرمز بعد</translation>
</message>
<message>
<source>No pet is called that</source>
<translation>لا حيوان بهذا الاسم</translation>
</message>
<message>
<source>No pet is called that.</source>
<translation>لا حيوان بهذا الاسم.</translation>
</message>
<message>
<source>No pet is called {name}, or has this id</source>
<translation>لا حيوان اسمه {name} أو له هذا المعرّف</translation>
</message>
<message>
<source>No pet matches {filter}</source>
<translation>لا حيوان يطابق {filter}</translation>
</message>
<message>
<source>No pet that was read is called that; not all of the pets are here.</source>
<translation>لا حيوان مقروء بهذا الاسم؛ ليست كل الحيوانات هنا.</translation>
</message>
<message>
<source>No pet: {code}</source>
<comment>a bar code that no pet has</comment>
<translation>لا حيوان: {code}</translation>
</message>
<message>
<source>No pets chosen</source>
<translation>لم تُختر حيوانات</translation>
</message>
<message>
<source>No problems found.</source>
<translation>لم يُعثر على مشكلات.</translation>
</message>
<message>
<source>No program here opens {file}.</source>
<translation>لا برنامج هنا يفتح {file}.</translation>
</message>
<message>
<source>No record of these lists can be used: {lists} ({why}).</source>
<translation>لا يمكن استخدام أي سجل في هذه القوائم: {lists} ({why}).</translation>
</message>
<message>
<source>No requests are left: next try in {left}</source>
<translation>لا طلبات متبقية: المحاولة التالية بعد {left}</translation>
</message>
<message>
<source>No requests yet</source>
<translation>لا طلبات بعد</translation>
</message>
<message>
<source>No secure connection to {host} is possible: its certificate is not trusted.</source>
<translation>لا يمكن إنشاء اتصال آمن بـ {host}: شهادته غير موثوقة.</translation>
</message>
<message>
<source>No sold pet has stock</source>
<translation>لا حيوان مباع له مخزون</translation>
</message>
<message>
<source>No sound</source>
<translation>بلا صوت</translation>
</message>
<message>
<source>No stock</source>
<translation>لا مخزون</translation>
</message>
<message>
<source>No stock entry matches {filter}</source>
<translation>لا قيد مخزون يطابق {filter}</translation>
</message>
<message>
<source>No stock is below zero</source>
<translation>لا مخزون دون الصفر</translation>
</message>
<message>
<source>No stock is low</source>
<translation>لا مخزون منخفض</translation>
</message>
<message>
<source>No stock is low.</source>
<translation>لا مخزون منخفض.</translation>
</message>
<message>
<source>No unknown codes</source>
<translation>لا رموز غير معروفة</translation>
</message>
<message>
<source>No.</source>
<translation>الرقم</translation>
</message>
<message>
<source>None</source>
<translation>بلا</translation>
</message>
<message>
<source>None</source>
<comment>no code on a label</comment>
<translation>بلا رمز</translation>
</message>
<message>
<source>None in stock.</source>
<translation>لا شيء في المخزون.</translation>
</message>
<message>
<source>None is shown; all are safe there.</source>
<translation>لا يظهر أي منها؛ وكلها آمنة هناك.</translation>
</message>
<message>
<source>None left</source>
<translation>نافد</translation>
</message>
<message>
<source>None of it is on this computer yet.</source>
<translation>لا شيء منها على هذا الكمبيوتر بعد.</translation>
</message>
<message>
<source>None of these rows fits the filter any more. Refresh takes them away.</source>
<translation>لم يعد أي من هذه الصفوف يطابق عامل التصفية. يزيلها التحديث.</translation>
</message>
<message numerus="yes">
<source>None of {n} changes matches.</source>
<translation>
<numerusform>لا يطابق أي تغيير.</numerusform>
<numerusform>التغيير الوحيد غير مطابق.</numerusform>
<numerusform>لا يطابق أي من التغييرين.</numerusform>
<numerusform>لا يطابق أي من {n} تغييرات.</numerusform>
<numerusform>لا يطابق أي من {n} تغييرًا.</numerusform>
<numerusform>لا يطابق أي من {n} تغيير.</numerusform>
</translation>
</message>
<message>
<source>None of {things} can be shown</source>
<translation>لا يمكن عرض أي من {things}</translation>
</message>
<message>
<source>Not all categories have been read: whether there is this one is not known.</source>
<translation>لم تُقرأ كل الفئات: لا يُعرف هل هذه الفئة موجودة.</translation>
</message>
<message>
<source>Not all of the list has been read: whether there is a record #{id} is not known.</source>
<translation>لم تُقرأ القائمة كلها: لا يُعرف هل السجل بالمعرّف #{id} موجود.</translation>
</message>
<message>
<source>Not all pets have been read: whether there is this one is not known.</source>
<translation>لم تُقرأ كل الحيوانات: لا يُعرف هل هذا الحيوان موجود.</translation>
</message>
<message>
<source>Not among the pets that are counted: tick it, or leave it</source>
<translation>ليس من الحيوانات التي تُجرد: حدده أو اتركه</translation>
</message>
<message>
<source>Not available now.</source>
<translation>غير متاح الآن.</translation>
</message>
<message>
<source>Not booked yet</source>
<translation>لم يُرحّل بعد</translation>
</message>
<message>
<source>Not booked yet: {typed} is still in the field. Enter takes it, Esc clears it</source>
<translation>لم يُقيَّد بعد: ما زال {typed} في الحقل. يأخذه Enter ويمسحه Esc</translation>
</message>
<message>
<source>Not checked, because not all of it is here: {lists}.</source>
<translation>لم تُفحص لأنها ليست هنا كاملة: {lists}.</translation>
</message>
<message>
<source>Not checked: something else is in the way.</source>
<translation>لم يُفحص: يحول دونه أمر آخر.</translation>
</message>
<message>
<source>Not chosen</source>
<translation>لم يُختر</translation>
</message>
<message>
<source>Not compared with the shop since it was counted</source>
<translation>لم يُقارَن بالمتجر بعد عدّه</translation>
</message>
<message>
<source>Not compared with the shop yet</source>
<translation>لم يُقارَن بالمتجر بعد</translation>
</message>
<message>
<source>Not counted, because not all of it is here: {lists}.</source>
<translation>لم تُحسب لأنها ليست هنا كاملة: {lists}.</translation>
</message>
<message>
<source>Not found among the fields of {things}: {fields}.</source>
<translation>لم يُعثر عليها ضمن حقول {things}: {fields}.</translation>
</message>
<message>
<source>Not known</source>
<translation>غير معروفة</translation>
</message>
<message>
<source>Not known.</source>
<translation>غير معروف.</translation>
</message>
<message>
<source>Not low</source>
<translation>غير منخفض</translation>
</message>
<message>
<source>Not offered by the service: {lists}.</source>
<translation>غير متاحة لدى الخدمة: {lists}.</translation>
</message>
<message>
<source>Not possible without it: {what}.</source>
<translation>غير ممكن من دونه: {what}.</translation>
</message>
<message>
<source>Not possible: {what}. {endpoint} was not taken: {why}.</source>
<translation>غير ممكن: {what}. لم تُستخدم {endpoint}: {why}.</translation>
</message>
<message>
<source>Not saved yet</source>
<translation>لم يُحفظ بعد</translation>
</message>
<message>
<source>Not saved:</source>
<translation>لم يُحفظ:</translation>
</message>
<message>
<source>Not saved: the disk of this computer takes nothing. Free some space, then go on.</source>
<translation>لم يُحفظ: قرص هذا الكمبيوتر لا يتسع لشيء. وفّر مساحة، ثم تابع.</translation>
</message>
<message>
<source>Not saved: this computer’s disk takes nothing more</source>
<translation>لم يُحفظ: لم يعد قرص هذا الكمبيوتر يتسع لشيء</translation>
</message>
<message>
<source>Not sent yet</source>
<translation>لم يُرسل بعد</translation>
</message>
<message>
<source>Not sent: {said}. Your change is kept here.</source>
<translation>لم يُرسل: {said}. تغييرك محفوظ هنا.</translation>
</message>
<message>
<source>Not sent: {said}. {record} is kept here</source>
<translation>لم يُرسل: {said}. {record} محفوظ هنا</translation>
</message>
<message>
<source>Not tried: there is nothing to read with it.</source>
<translation>لم يُجرَّب: لا شيء يمكن قراءته به.</translation>
</message>
<message>
<source>Not used</source>
<translation>غير مستخدم</translation>
</message>
<message>
<source>Not wholly read yet: {lists}.</source>
<translation>لم تُقرأ كاملة بعد: {lists}.</translation>
</message>
<message>
<source>Note</source>
<translation>ملاحظة</translation>
</message>
<message>
<source>Note on this count</source>
<translation>ملاحظة على هذا الجرد</translation>
</message>
<message>
<source>Nothing begins with {text}.</source>
<translation>لا شيء يبدأ بـ {text}.</translation>
</message>
<message>
<source>Nothing begins with {text}. Use: {words}.</source>
<translation>لا شيء يبدأ بـ {text}. استخدم: {words}.</translation>
</message>
<message>
<source>Nothing can change backwards.</source>
<translation>لا شيء يتغير إلى الوراء.</translation>
</message>
<message>
<source>Nothing changed</source>
<translation>لم يتغير شيء</translation>
</message>
<message>
<source>Nothing changed between {then} and {now}.</source>
<translation>لم يتغير شيء بين {then} و{now}.</translation>
</message>
<message>
<source>Nothing changed since {time}, when the history began.</source>
<translation>لم يتغير شيء منذ {time}، حين بدأت المحفوظات.</translation>
</message>
<message>
<source>Nothing changed since {time}.</source>
<translation>لم يتغير شيء منذ {time}.</translation>
</message>
<message>
<source>Nothing changes at the service.</source>
<translation>لا يتغير شيء لدى الخدمة.</translation>
</message>
<message>
<source>Nothing else is sent until it is answered.</source>
<translation>لا يُرسل شيء آخر قبل أن يصل رد عليه.</translation>
</message>
<message>
<source>Nothing found for {text}</source>
<translation>لا نتائج لـ {text}</translation>
</message>
<message>
<source>Nothing found for {text}; not all of the shop is here</source>
<translation>لا نتائج لـ {text}؛ والمتجر ليس هنا كاملًا</translation>
</message>
<message numerus="yes">
<source>Nothing here belongs to them.</source>
<translation>
<numerusform>لا توجد هنا سجلات تابعة.</numerusform>
<numerusform>لا توجد هنا سجلات تابعة.</numerusform>
<numerusform>لا توجد هنا سجلات تابعة.</numerusform>
<numerusform>لا توجد هنا سجلات تابعة.</numerusform>
<numerusform>لا توجد هنا سجلات تابعة.</numerusform>
<numerusform>لا توجد هنا سجلات تابعة.</numerusform>
</translation>
</message>
<message>
<source>Nothing here needs attention</source>
<translation>لا شيء هنا يتطلب الانتباه</translation>
</message>
<message>
<source>Nothing here was changed today</source>
<translation>لم يتغير شيء هنا اليوم</translation>
</message>
<message>
<source>Nothing here was removed or overwritten; the rows read before stay.</source>
<translation>لم يُحذف شيء هنا ولم يُستبدل؛ والصفوف المقروءة من قبل باقية.</translation>
</message>
<message>
<source>Nothing in it was waiting to be sent. Only the list of changes is shorter now.</source>
<translation>لم يكن فيه شيء ينتظر الإرسال. غير أن قائمة التغييرات صارت أقصر.</translation>
</message>
<message>
<source>Nothing is due this week</source>
<translation>لا شيء موعده هذا الأسبوع</translation>
</message>
<message>
<source>Nothing is lost by waiting. {saved}</source>
<translation>لا يضيع شيء بالانتظار. {saved}</translation>
</message>
<message>
<source>Nothing is low</source>
<translation>لا شيء منخفض</translation>
</message>
<message>
<source>Nothing is on this computer yet</source>
<translation>لا شيء على هذا الكمبيوتر بعد</translation>
</message>
<message>
<source>Nothing is saved yet: a preview comes next.</source>
<translation>لم يُحفظ شيء بعد: تظهر معاينة أولًا.</translation>
</message>
<message>
<source>Nothing is sent to this shop. Change this in File &gt; Connection settings.</source>
<translation>لا يُرسل شيء إلى هذا المتجر. غيّر ذلك في ملف &gt; إعدادات الاتصال.</translation>
</message>
<message>
<source>Nothing listens at {host}; nothing was sent.</source>
<translation>لا شيء يستمع لدى {host}؛ لم يُرسل شيء.</translation>
</message>
<message>
<source>Nothing needs attention</source>
<translation>لا شيء يتطلب الانتباه</translation>
</message>
<message>
<source>Nothing proves that it was done, and the service shows what was there before. Either yours never arrived, or it arrived and somebody else set it back.</source>
<translation>لا شيء يثبت أنه تم، والخدمة تعرض ما كان من قبل. إما أن تغييرك لم يصل قط، وإما أنه وصل ثم أعاد شخص آخر القيمة السابقة.</translation>
</message>
<message>
<source>Nothing proves that it was done, and the stock is another. Either your {booked} arrived and somebody else booked too, or it never arrived.</source>
<translation>لا شيء يثبت أنه تم، والمخزون مختلف. إما أن ترحيلك {booked} وصل ورحّل شخص آخر أيضًا، وإما أنه لم يصل قط.</translation>
</message>
<message>
<source>Nothing proves that it was done, and the stock is as before. Either your {booked} never arrived, or it arrived and somebody else booked the opposite.</source>
<translation>لا شيء يثبت أنه تم، والمخزون كما كان. إما أن ترحيلك {booked} لم يصل قط، وإما أنه وصل ورحّل شخص آخر عكسه.</translation>
</message>
<message>
<source>Nothing proves that it was done, and the stock is as with your {booked}. Either it arrived, or it never did and somebody else booked the same.</source>
<translation>لا شيء يثبت أنه تم، والمخزون كما يكون بعد ترحيلك {booked}. إما أنه وصل، وإما أنه لم يصل قط ورحّل شخص آخر الكمية نفسها.</translation>
</message>
<message>
<source>Nothing to book: scan what came in.</source>
<translation>لا شيء للترحيل: امسح بالماسح رموز ما وصل.</translation>
</message>
<message>
<source>Nothing to change</source>
<translation>لا شيء للتغيير</translation>
</message>
<message>
<source>Nothing to change: it already has this value.</source>
<translation>لا شيء للتغيير: له هذه القيمة بالفعل.</translation>
</message>
<message>
<source>Nothing to paste: copy cells or a text first.</source>
<translation>لا شيء للصقه: انسخ خلايا أو نصًا أولًا.</translation>
</message>
<message>
<source>Nothing to save</source>
<translation>لا شيء لحفظه</translation>
</message>
<message>
<source>Nothing was changed.</source>
<translation>لم يتغير شيء.</translation>
</message>
<message>
<source>Nothing was overwritten; your change is kept here.</source>
<translation>لم يُستبدل أي شيء؛ وتغييرك محفوظ هنا.</translation>
</message>
<message>
<source>Nothing was read from it or written to it.</source>
<translation>لم يُقرأ منه شيء ولم يُكتب فيه شيء.</translation>
</message>
<message>
<source>Nothing was read.</source>
<translation>لم يُقرأ شيء.</translation>
</message>
<message>
<source>Nothing was seen to change in these days.</source>
<translation>لم يُرصد أي تغيير في هذه الأيام.</translation>
</message>
<message>
<source>Nothing was sent, not even the key. You can read and edit the data on this computer.</source>
<translation>لم يُرسل شيء، ولا حتى المفتاح. يمكنك قراءة البيانات وتحريرها على هذا الكمبيوتر.</translation>
</message>
<message>
<source>Nothing was sent.</source>
<translation>لم يُرسل شيء.</translation>
</message>
<message>
<source>Nothing was written.</source>
<translation>لم يُكتب شيء.</translation>
</message>
<message>
<source>Now</source>
<translation>الآن</translation>
</message>
<message>
<source>Now the network fails. You go on working; nothing is lost.</source>
<translation>والآن تنقطع الشبكة. تواصل العمل ولا يضيع شيء.</translation>
</message>
<message>
<source>Now {time}</source>
<translation>الآن {time}</translation>
</message>
<message>
<source>Numbers</source>
<translation>الأرقام</translation>
</message>
<message>
<source>Numbers of now as of {time}.</source>
<translation>الأرقام الحالية: بيانات {time}.</translation>
</message>
<message>
<source>OK</source>
<translation>سليم</translation>
</message>
<message>
<source>OK: {checks}</source>
<translation>سليم: {checks}</translation>
</message>
<message>
<source>Off</source>
<translation>إيقاف</translation>
</message>
<message>
<source>Offered</source>
<translation>التوفر</translation>
</message>
<message>
<source>Offline since {time}. The program tries again now, and keeps trying</source>
<translation>دون اتصال منذ {time}. يحاول البرنامج الآن من جديد، ويواصل المحاولة</translation>
</message>
<message>
<source>Offline since {time}: the service cannot be reached</source>
<translation>دون اتصال منذ {time}: تعذر الوصول إلى الخدمة</translation>
</message>
<message>
<source>Offline: the program tries again now; nothing has changed here</source>
<translation>دون اتصال: يحاول البرنامج الآن من جديد؛ ولم يتغير شيء هنا</translation>
</message>
<message>
<source>Old value</source>
<translation>القيمة القديمة</translation>
</message>
<message>
<source>Olive</source>
<translation>زيتوني</translation>
</message>
<message>
<source>On</source>
<translation>تشغيل</translation>
</message>
<message>
<source>On each label</source>
<translation>على كل ملصق</translation>
</message>
<message>
<source>On its way to the service.</source>
<translation>في طريقه إلى الخدمة.</translation>
</message>
<message>
<source>One day…</source>
<translation>يوم واحد…</translation>
</message>
<message>
<source>One file at a time, please.</source>
<translation>ملف واحد في كل مرة، من فضلك.</translation>
</message>
<message>
<source>One moment.</source>
<translation>لحظة من فضلك.</translation>
</message>
<message>
<source>One name per line. Saved at once, then sent.</source>
<translation>اسم في كل سطر. يُحفظ فورًا ثم يُرسل.</translation>
</message>
<message>
<source>One order for {pet}, to ship on {day}.</source>
<translation>طلبية واحدة لـ {pet}، موعد الشحن {day}.</translation>
</message>
<message>
<source>One order for {pet}, to ship today.</source>
<translation>طلبية واحدة لـ {pet}، موعد الشحن اليوم.</translation>
</message>
<message>
<source>One order for {pet}.</source>
<translation>طلبية واحدة لـ {pet}.</translation>
</message>
<message>
<source>Only in {tabs}.</source>
<translation>في {tabs} فقط.</translation>
</message>
<message>
<source>Only the history is affected; nothing else is.</source>
<translation>لا يتأثر بذلك سوى المحفوظات.</translation>
</message>
<message>
<source>Only what the list shows: {view}</source>
<translation>ما تعرضه القائمة فقط: {view}</translation>
</message>
<message numerus="yes">
<source>Only {n} in stock.</source>
<translation>
<numerusform>في المخزون {n} فقط.</numerusform>
<numerusform>في المخزون {n} فقط.</numerusform>
<numerusform>في المخزون {n} فقط.</numerusform>
<numerusform>في المخزون {n} فقط.</numerusform>
<numerusform>في المخزون {n} فقط.</numerusform>
<numerusform>في المخزون {n} فقط.</numerusform>
</translation>
</message>
<message>
<source>Open</source>
<translation>فتح</translation>
</message>
<message>
<source>Open &amp;log folder</source>
<translation>فتح مجلد ملفات ال&amp;سجل</translation>
</message>
<message>
<source>Open Today</source>
<translation>فتح تبويب «اليوم»</translation>
</message>
<message>
<source>Open licences</source>
<translation>فتح الرخص</translation>
</message>
<message>
<source>Open orders</source>
<translation>الطلبيات المفتوحة</translation>
</message>
<message>
<source>Open the demo shop</source>
<translation>فتح المتجر التجريبي</translation>
</message>
<message>
<source>Open the folder</source>
<translation>فتح المجلد</translation>
</message>
<message>
<source>Open the list</source>
<translation>فتح القائمة</translation>
</message>
<message>
<source>Open the list, and make the missing changes again.</source>
<translation>افتح القائمة، وأعد إجراء التغييرات الناقصة.</translation>
</message>
<message>
<source>Open the manual (F1)</source>
<translation>فتح الدليل (F1)</translation>
</message>
<message>
<source>Open the tab that was shown last</source>
<translation>فتح آخر تبويب معروض</translation>
</message>
<message>
<source>OpenAPI document</source>
<translation>مستند OpenAPI</translation>
</message>
<message>
<source>OpenAPI document (optional)</source>
<translation>مستند OpenAPI (اختياري)</translation>
</message>
<message>
<source>OpenAPI documents and profiles (*.json *.yaml *.yml *.toml)</source>
<translation>مستندات OpenAPI وملفات التعريف (*.json *.yaml *.yml *.toml)</translation>
</message>
<message>
<source>Operation</source>
<translation>العملية</translation>
</message>
<message>
<source>Operations</source>
<translation>العمليات</translation>
</message>
<message>
<source>Operations of this service</source>
<translation>عمليات هذه الخدمة</translation>
</message>
<message>
<source>Operations…</source>
<translation>العمليات…</translation>
</message>
<message>
<source>Or type it</source>
<translation>أو اكتبه</translation>
</message>
<message>
<source>Order</source>
<translation>الطلبية</translation>
</message>
<message>
<source>Order</source>
<comment>header of the order’s id</comment>
<translation>الطلبية</translation>
</message>
<message>
<source>Order</source>
<comment>one that has no id yet</comment>
<translation>طلبية</translation>
</message>
<message>
<source>Order id</source>
<translation>معرّف الطلبية</translation>
</message>
<message>
<source>Order of a pet that does not exist</source>
<translation>طلبية لحيوان غير موجود</translation>
</message>
<message>
<source>Order up to</source>
<translation>الطلب حتى</translation>
</message>
<message>
<source>Order without an id</source>
<translation>طلبية بلا معرّف</translation>
</message>
<message>
<source>Order {id}</source>
<translation>الطلبية {id}</translation>
</message>
<message>
<source>Order {id}, {count} {pet}</source>
<translation>الطلبية {id}، {count} من {pet}</translation>
</message>
<message>
<source>Order {id}, {pet}</source>
<translation>الطلبية {id}، {pet}</translation>
</message>
<message>
<source>Order {id}: {pet}</source>
<translation>الطلبية {id}: {pet}</translation>
</message>
<message>
<source>Order {what} up to {most} in stock</source>
<translation>الطلب حتى {most} في المخزون: {what}</translation>
</message>
<message>
<source>Orders</source>
<translation>الطلبيات</translation>
</message>
<message>
<source>Orders by ship date</source>
<translation>الطلبيات حسب تاريخ الشحن</translation>
</message>
<message>
<source>Orders by ship date, as they are now</source>
<translation>الطلبيات حسب تاريخ الشحن، كما هي الآن</translation>
</message>
<message>
<source>Orders by ship date, last week and this week</source>
<translation>الطلبيات حسب تاريخ الشحن، الأسبوع الماضي وهذا الأسبوع</translation>
</message>
<message>
<source>Orders changed today</source>
<translation>طلبيات تغيّرت اليوم</translation>
</message>
<message>
<source>Orders completed</source>
<translation>الطلبيات المكتملة</translation>
</message>
<message>
<source>Orders for more than is in stock</source>
<translation>طلبيات تفوق المخزون</translation>
</message>
<message>
<source>Orders of pets that do not exist</source>
<translation>طلبيات لحيوانات غير موجودة</translation>
</message>
<message>
<source>Orders of this pet</source>
<translation>طلبيات هذا الحيوان</translation>
</message>
<message>
<source>Orders placed</source>
<translation>الطلبيات المنشأة</translation>
</message>
<message>
<source>Orders that come in at the service are shown here.</source>
<translation>تظهر هنا الطلبيات التي تصل إلى الخدمة.</translation>
</message>
<message>
<source>Orders that need attention</source>
<translation>طلبيات تتطلب الانتباه</translation>
</message>
<message>
<source>Other changes</source>
<translation>تغييرات أخرى</translation>
</message>
<message>
<source>Other fields of the service</source>
<translation>حقول أخرى لدى الخدمة</translation>
</message>
<message>
<source>Other fields of {things}, which are shown in the details: {fields}.</source>
<translation>حقول أخرى في {things}، تظهر في التفاصيل: {fields}.</translation>
</message>
<message>
<source>Others with the same key</source>
<translation>آخرون بالمفتاح نفسه</translation>
</message>
<message>
<source>Outbo&amp;x</source>
<translation>&amp;صندوق الصادر</translation>
</message>
<message>
<source>Outbox</source>
<translation>صندوق الصادر</translation>
</message>
<message>
<source>Overdue</source>
<translation>متأخرة</translation>
</message>
<message>
<source>Overdue orders</source>
<translation>الطلبيات المتأخرة</translation>
</message>
<message>
<source>Overdue orders now</source>
<translation>الطلبيات المتأخرة الآن</translation>
</message>
<message numerus="yes">
<source>Overdue orders now: {n}</source>
<translation>
<numerusform>الطلبيات المتأخرة الآن: {n}</numerusform>
<numerusform>الطلبيات المتأخرة الآن: {n}</numerusform>
<numerusform>الطلبيات المتأخرة الآن: {n}</numerusform>
<numerusform>الطلبيات المتأخرة الآن: {n}</numerusform>
<numerusform>الطلبيات المتأخرة الآن: {n}</numerusform>
<numerusform>الطلبيات المتأخرة الآن: {n}</numerusform>
</translation>
</message>
<message>
<source>Own line</source>
<translation>سطر خاص</translation>
</message>
<message>
<source>Own size of labels</source>
<translation>مقاس خاص للملصقات</translation>
</message>
<message>
<source>Own size, {columns} × {rows}, {width} × {height} mm</source>
<translation>مقاس خاص، {columns} × {rows}، {width} × {height} مم</translation>
</message>
<message>
<source>Own size…</source>
<translation>مقاس خاص…</translation>
</message>
<message>
<source>P&amp;ut all shown into a category…</source>
<translation>و&amp;ضع كل المعروض في فئة…</translation>
</message>
<message>
<source>P&amp;ut into a category…</source>
<translation>و&amp;ضع في فئة…</translation>
</message>
<message>
<source>PDF file</source>
<translation>ملف PDF</translation>
</message>
<message>
<source>Page of the manual</source>
<translation>صفحة من الدليل</translation>
</message>
<message>
<source>Pages of the manual</source>
<translation>صفحات الدليل</translation>
</message>
<message>
<source>Paste</source>
<translation>لصق</translation>
</message>
<message>
<source>Paste lines</source>
<translation>لصق أسطر</translation>
</message>
<message>
<source>Path</source>
<translation>المسار</translation>
</message>
<message>
<source>Pause</source>
<translation>إيقاف مؤقت</translation>
</message>
<message>
<source>Pauses are exact all the same: they are counted, not read from a clock.</source>
<translation>فترات الإيقاف المؤقت دقيقة على أي حال: فهي تُعدّ عدًّا ولا تُقرأ من ساعة.</translation>
</message>
<message>
<source>Pending</source>
<translation>المحجوزة</translation>
</message>
<message>
<source>Period</source>
<translation>الفترة</translation>
</message>
<message>
<source>Person</source>
<translation>يدوي</translation>
</message>
<message>
<source>Pet</source>
<translation>الحيوان</translation>
</message>
<message>
<source>Pet Store Desktop</source>
<translation>Pet Store Desktop</translation>
</message>
<message>
<source>Pet Store Desktop did not end as it should the last time.</source>
<translation>لم يُغلق Pet Store Desktop بشكل صحيح في المرة الأخيرة.</translation>
</message>
<message>
<source>Pet Store Desktop is free software under the MIT licence. It uses Qt and PySide6 under the GNU Lesser General Public License, version 3. They are separate libraries beside the program: you may replace them with your own, and you may take the program apart to debug such a change.</source>
<translation>إن Pet Store Desktop برنامج حر بموجب رخصة MIT. وهو يستخدم Qt وPySide6 بموجب رخصة GNU العمومية الصغرى (LGPL)، الإصدار 3. وهما مكتبتان منفصلتان إلى جانب البرنامج: يمكنك أن تستبدل بهما نسختك الخاصة منهما، ويمكنك تفكيك البرنامج لتصحيح أخطاء تغيير كهذا.</translation>
</message>
<message>
<source>Pet Store Desktop {version} is available: Help &gt; About Pet Store Desktop.</source>
<translation>يتوفر Pet Store Desktop {version}: تعليمات &gt; حول Pet Store Desktop.</translation>
</message>
<message>
<source>Pet id</source>
<translation>معرّف الحيوان</translation>
</message>
<message>
<source>Pets</source>
<translation>الحيوانات</translation>
</message>
<message>
<source>Pets as the program reads them</source>
<translation>الحيوانات كما يقرؤها البرنامج</translation>
</message>
<message>
<source>Pets found</source>
<translation>الحيوانات المطابقة</translation>
</message>
<message>
<source>Pets of the same name</source>
<translation>حيوانات بالاسم نفسه</translation>
</message>
<message>
<source>Pets sold</source>
<translation>الحيوانات المباعة</translation>
</message>
<message>
<source>Pets without a category</source>
<translation>حيوانات بلا فئة</translation>
</message>
<message>
<source>Pet’s name</source>
<translation>اسم الحيوان</translation>
</message>
<message>
<source>Pieces in stock</source>
<translation>الوحدات في المخزون</translation>
</message>
<message>
<source>Pieces in stock by category</source>
<translation>الوحدات في المخزون حسب الفئة</translation>
</message>
<message>
<source>Place order</source>
<translation>إنشاء الطلبية</translation>
</message>
<message>
<source>Plan</source>
<translation>الباقة</translation>
</message>
<message>
<source>Pr&amp;int this list…</source>
<translation>ط&amp;باعة هذه القائمة…</translation>
</message>
<message>
<source>Pre&amp;ferences…</source>
<translation>التف&amp;ضيلات…</translation>
</message>
<message>
<source>Pre&amp;vious tab</source>
<translation>التبويب ال&amp;سابق</translation>
</message>
<message>
<source>Preferences</source>
<translation>التفضيلات</translation>
</message>
<message>
<source>Preparing…</source>
<translation>جارٍ التحضير…</translation>
</message>
<message>
<source>Preview</source>
<translation>معاينة</translation>
</message>
<message>
<source>Preview of the labels</source>
<translation>معاينة الملصقات</translation>
</message>
<message numerus="yes">
<source>Preview {n} rows</source>
<translation>
<numerusform>معاينة (لا صفوف)</numerusform>
<numerusform>معاينة (صف واحد)</numerusform>
<numerusform>معاينة (صفّان)</numerusform>
<numerusform>معاينة ({n} صفوف)</numerusform>
<numerusform>معاينة ({n} صفًا)</numerusform>
<numerusform>معاينة ({n} صف)</numerusform>
</translation>
</message>
<message>
<source>Preview: {page}, {start}</source>
<translation>معاينة: {page}، {start}</translation>
</message>
<message>
<source>Preview: {what}</source>
<translation>معاينة: {what}</translation>
</message>
<message>
<source>Previous month</source>
<translation>الشهر السابق</translation>
</message>
<message>
<source>Previous page</source>
<translation>الصفحة السابقة</translation>
</message>
<message>
<source>Previous sheet</source>
<translation>الورقة السابقة</translation>
</message>
<message>
<source>Print</source>
<translation>طباعة</translation>
</message>
<message>
<source>Print at 100 %, not “fit to page”. These choices are kept for the next time.</source>
<translation>اطبع بنسبة 100%، وليس «ملاءمة الصفحة». تُحفظ هذه الخيارات للمرة القادمة.</translation>
</message>
<message>
<source>Print labels</source>
<translation>طباعة الملصقات</translation>
</message>
<message>
<source>Print one to try</source>
<translation>طباعة ملصق للتجربة</translation>
</message>
<message>
<source>Print the changes</source>
<translation>طباعة التغييرات</translation>
</message>
<message>
<source>Print the whole manual…</source>
<translation>طباعة الدليل كله…</translation>
</message>
<message numerus="yes">
<source>Print {n} labels</source>
<translation>
<numerusform>طباعة الملصقات</numerusform>
<numerusform>طباعة ملصق واحد</numerusform>
<numerusform>طباعة ملصقين</numerusform>
<numerusform>طباعة {n} ملصقات</numerusform>
<numerusform>طباعة {n} ملصقًا</numerusform>
<numerusform>طباعة {n} ملصق</numerusform>
</translation>
</message>
<message>
<source>Print {view}</source>
<translation>طباعة {view}</translation>
</message>
<message>
<source>Printing did not finish. Check the printer, or save a PDF.</source>
<translation>لم تكتمل الطباعة. تحقق من الطابعة، أو احفظ ملف PDF.</translation>
</message>
<message>
<source>Print…</source>
<translation>طباعة…</translation>
</message>
<message>
<source>Profiles (*.toml)</source>
<translation>ملفات التعريف (*.toml)</translation>
</message>
<message>
<source>Program</source>
<translation>البرنامج</translation>
</message>
<message>
<source>Progress</source>
<translation>التقدم</translation>
</message>
<message>
<source>Protocol as &amp;CSV…</source>
<translation>المح&amp;ضر بصيغة CSV…</translation>
</message>
<message>
<source>Protocol as &amp;PDF…</source>
<translation>الم&amp;حضر بصيغة PDF…</translation>
</message>
<message>
<source>Protocol of the count</source>
<translation>محضر الجرد</translation>
</message>
<message>
<source>Proxy</source>
<translation>الخادم الوكيل</translation>
</message>
<message>
<source>Put away</source>
<translation>إخفاء</translation>
</message>
<message>
<source>Put away until there are more: {what}</source>
<translation>إخفاء حتى يظهر المزيد: {what}</translation>
</message>
<message>
<source>Put it back, or choose another one for the connection.</source>
<translation>أعده إلى مكانه، أو اختر ملفًا آخر للاتصال.</translation>
</message>
<message>
<source>QR</source>
<translation>QR</translation>
</message>
<message>
<source>Quantity</source>
<translation>الكمية</translation>
</message>
<message>
<source>Quantity can’t be negative.</source>
<translation>لا يمكن أن تكون الكمية سالبة.</translation>
</message>
<message>
<source>Quit the program and start it again.</source>
<translation>اخرج من البرنامج وشغّله من جديد.</translation>
</message>
<message>
<source>R&amp;efresh</source>
<translation>تحدي&amp;ث</translation>
</message>
<message>
<source>Re&amp;quests</source>
<translation>ط&amp;لبات الخدمة</translation>
</message>
<message>
<source>Read {age}.</source>
<translation>القراءة: {age}.</translation>
</message>
<message>
<source>Read-only</source>
<translation>للقراءة فقط</translation>
</message>
<message>
<source>Read-only, not changed: {columns}.</source>
<translation>للقراءة فقط، لم تتغير: {columns}.</translation>
</message>
<message>
<source>Read-only: send no change to this shop</source>
<translation>للقراءة فقط: عدم إرسال أي تغيير إلى هذا المتجر</translation>
</message>
<message>
<source>Reading one category</source>
<translation>قراءة فئة واحدة</translation>
</message>
<message>
<source>Reading one order</source>
<translation>قراءة طلبية واحدة</translation>
</message>
<message>
<source>Reading one pet</source>
<translation>قراءة حيوان واحد</translation>
</message>
<message>
<source>Reading the history…</source>
<translation>جارٍ قراءة المحفوظات…</translation>
</message>
<message>
<source>Reading the list of categories</source>
<translation>قراءة قائمة الفئات</translation>
</message>
<message>
<source>Reading the list of orders</source>
<translation>قراءة قائمة الطلبيات</translation>
</message>
<message>
<source>Reading the list of pets</source>
<translation>قراءة قائمة الحيوانات</translation>
</message>
<message>
<source>Reading the shop: {done}</source>
<translation>جارٍ قراءة المتجر: {done}</translation>
</message>
<message>
<source>Reading the shop: {done} of {total}</source>
<translation>جارٍ قراءة المتجر: {done} من {total}</translation>
</message>
<message>
<source>Reading the stock list once, to see what moved since. Press the button again to go on without it.</source>
<translation>جارٍ قراءة قائمة المخزون مرة واحدة، لمعرفة ما تغيّر منذ ذلك الحين. اضغط الزر مرة أخرى للمتابعة من دونها.</translation>
</message>
<message>
<source>Reading the stock of all pets</source>
<translation>قراءة مخزون كل الحيوانات</translation>
</message>
<message>
<source>Reading the stock of one pet</source>
<translation>قراءة مخزون حيوان واحد</translation>
</message>
<message>
<source>Reading was stopped</source>
<translation>أُوقفت القراءة</translation>
</message>
<message>
<source>Reading {things}</source>
<translation>جارٍ قراءة {things}</translation>
</message>
<message>
<source>Reads a little of each list and changes nothing.</source>
<translation>يقرأ قليلًا من كل قائمة ولا يغيّر شيئًا.</translation>
</message>
<message>
<source>Reads a small file once a week. Nothing about you or your shop is sent.</source>
<translation>يقرأ ملفًا صغيرًا مرة في الأسبوع. لا يُرسل أي شيء عنك أو عن متجرك.</translation>
</message>
<message>
<source>Reason</source>
<translation>السبب</translation>
</message>
<message>
<source>Receive</source>
<translation>الاستلام</translation>
</message>
<message>
<source>Receive goods</source>
<translation>استلام البضائع</translation>
</message>
<message>
<source>Received</source>
<translation>المستلم</translation>
</message>
<message>
<source>Received</source>
<comment>a delivery</comment>
<translation>استلام</translation>
</message>
<message>
<source>Received: {note}</source>
<translation>استلام: {note}</translation>
</message>
<message>
<source>Recognise scans everywhere</source>
<translation>التعرف على المسح في كل مكان</translation>
</message>
<message>
<source>Record</source>
<translation>السجل</translation>
</message>
<message>
<source>Record or id</source>
<translation>سجل أو معرّف</translation>
</message>
<message>
<source>Record {id} may be a colleague’s: it looks like yours, but the service never confirmed yours. It is not deleted unless you choose to.</source>
<translation>قد يكون السجل {id} لزميل: فهو يشبه سجلك، لكن الخدمة لم تؤكد سجلك قط. ولن يُحذف ما لم تختر ذلك.</translation>
</message>
<message>
<source>Records</source>
<translation>السجلات</translation>
</message>
<message>
<source>Records of this kind do not have the field that was entered.</source>
<translation>ليس لسجلات هذا النوع الحقل الذي أُدخل.</translation>
</message>
<message>
<source>Records set aside</source>
<translation>السجلات المنحّاة</translation>
</message>
<message>
<source>Redo</source>
<translation>إعادة</translation>
</message>
<message>
<source>Redo: {what}</source>
<translation>إعادة: {what}</translation>
</message>
<message>
<source>Redone: {what}</source>
<translation>تمت الإعادة: {what}</translation>
</message>
<message>
<source>Refresh</source>
<translation>تحديث</translation>
</message>
<message>
<source>Refresh</source>
<comment>what requests were used for</comment>
<translation>التحديث</translation>
</message>
<message>
<source>Refresh the list to see what is there now.</source>
<translation>حدّث القائمة لترى ما فيها الآن.</translation>
</message>
<message>
<source>Refresh the list.</source>
<translation>حدّث القائمة.</translation>
</message>
<message>
<source>Refused</source>
<translation>مرفوض</translation>
</message>
<message>
<source>Refused: {said}. Your change is kept here.</source>
<translation>رُفض: {said}. تغييرك محفوظ هنا.</translation>
</message>
<message>
<source>Refused: {said}. {record} is kept here</source>
<translation>رُفض: {said}. {record} محفوظ هنا</translation>
</message>
<message>
<source>Rehearsal</source>
<translation>محاكاة</translation>
</message>
<message>
<source>Rehearsal of {shop} — Pet Store Desktop</source>
<translation>محاكاة {shop} — Pet Store Desktop</translation>
</message>
<message>
<source>Rehearsal:</source>
<translation>محاكاة:</translation>
</message>
<message>
<source>Rehearsal: {words}</source>
<translation>محاكاة: {words}</translation>
</message>
<message>
<source>Rehearse</source>
<translation>محاكاة</translation>
</message>
<message>
<source>Rehearse…</source>
<translation>محاكاة…</translation>
</message>
<message>
<source>Rem&amp;ove from the sort</source>
<translation>إ&amp;زالة من الفرز</translation>
</message>
<message>
<source>Remove them from the address, and enter the password as the key.</source>
<translation>احذفهما من العنوان، وأدخل كلمة المرور على أنها المفتاح.</translation>
</message>
<message>
<source>Removed by the service</source>
<translation>أزالتها الخدمة</translation>
</message>
<message>
<source>Removed by the service on {day}</source>
<translation>أزالتها الخدمة في {day}</translation>
</message>
<message>
<source>Rename</source>
<translation>إعادة تسمية</translation>
</message>
<message>
<source>Rename {things}</source>
<translation>إعادة التسمية: {things}</translation>
</message>
<message>
<source>Rename {view}</source>
<translation>إعادة تسمية {view}</translation>
</message>
<message>
<source>Rename {view}…</source>
<translation>إعادة تسمية {view}…</translation>
</message>
<message>
<source>Repeated below; that row counts</source>
<translation>مكرر أدناه؛ ويُعتمد ذلك الصف</translation>
</message>
<message>
<source>Replace</source>
<translation>استبدال</translation>
</message>
<message>
<source>Report</source>
<translation>التقرير</translation>
</message>
<message>
<source>Report, {days}</source>
<translation>تقرير، {days}</translation>
</message>
<message>
<source>Reports &amp;by week and month</source>
<translation>تقارير الأسبوع والش&amp;هر</translation>
</message>
<message>
<source>Request</source>
<translation>الطلب</translation>
</message>
<message>
<source>Requests</source>
<translation>طلبات الخدمة</translation>
</message>
<message>
<source>Requests cannot be recorded: {file} cannot be used.</source>
<translation>لا يمكن تسجيل الطلبات: لا يمكن استخدام {file}.</translation>
</message>
<message>
<source>Requests go through {proxy}. It sees where they go, but neither the key nor the content.</source>
<translation>تمر الطلبات عبر {proxy}. يرى وجهتها، لكنه لا يرى المفتاح ولا المحتوى.</translation>
</message>
<message>
<source>Requests le&amp;ft</source>
<translation>طلبات ال&amp;خدمة المتبقية</translation>
</message>
<message>
<source>Requests left</source>
<translation>طلبات الخدمة المتبقية</translation>
</message>
<message>
<source>Requests per day</source>
<translation>الطلبات في اليوم</translation>
</message>
<message>
<source>Requests per minute</source>
<translation>الطلبات في الدقيقة</translation>
</message>
<message>
<source>Requests today</source>
<translation>طلبات الخدمة اليوم</translation>
</message>
<message>
<source>Requests today: {used}. {words}</source>
<translation>طلبات الخدمة اليوم: {used}. {words}</translation>
</message>
<message>
<source>Requests: this minute {minute}; today {day}</source>
<translation>طلبات الخدمة: هذه الدقيقة {minute}؛ اليوم {day}</translation>
</message>
<message>
<source>Res&amp;tore built-in views</source>
<translation>استعا&amp;دة طرق العرض المضمنة</translation>
</message>
<message>
<source>Reserve and order</source>
<translation>حجز وإنشاء طلبية</translation>
</message>
<message>
<source>Reserve for a caller</source>
<translation>حجز لعميل على الهاتف</translation>
</message>
<message>
<source>Reserve for a caller…</source>
<translation>حجز لعميل على الهاتف…</translation>
</message>
<message>
<source>Restart the program.</source>
<translation>أعد تشغيل البرنامج.</translation>
</message>
<message>
<source>Result</source>
<translation>النتيجة</translation>
</message>
<message>
<source>Resume</source>
<translation>استئناف</translation>
</message>
<message>
<source>Resume &amp;now…</source>
<translation>ا&amp;ستئناف الآن…</translation>
</message>
<message>
<source>Resume now</source>
<translation>استئناف الآن</translation>
</message>
<message>
<source>Resume now…</source>
<translation>استئناف الآن…</translation>
</message>
<message>
<source>Review variances</source>
<translation>مراجعة الفروقات</translation>
</message>
<message numerus="yes">
<source>Review {n} variances</source>
<translation>
<numerusform>مراجعة الفروقات</numerusform>
<numerusform>مراجعة فرق واحد</numerusform>
<numerusform>مراجعة فرقين</numerusform>
<numerusform>مراجعة {n} فروقات</numerusform>
<numerusform>مراجعة {n} فرقًا</numerusform>
<numerusform>مراجعة {n} فرق</numerusform>
</translation>
</message>
<message>
<source>Risk a ban and resume now?</source>
<translation>هل تريد المجازفة بالحظر والاستئناف الآن؟</translation>
</message>
<message>
<source>Roll, {width} × {height} mm</source>
<translation>لفة، {width} × {height} مم</translation>
</message>
<message>
<source>Rose</source>
<translation>وردي</translation>
</message>
<message>
<source>Row</source>
<translation>الصف</translation>
</message>
<message>
<source>Rows</source>
<translation>الصفوف</translation>
</message>
<message>
<source>Rows of the file</source>
<translation>صفوف الملف</translation>
</message>
<message>
<source>Rows of the file: {changed} to change, {new} new, {same} the same, {wrong} wrong.</source>
<translation>صفوف الملف: للتغيير {changed}، جديد {new}، مطابق {same}، خاطئ {wrong}.</translation>
</message>
<message>
<source>Rows show as they come.</source>
<translation>تظهر الصفوف فور وصولها.</translation>
</message>
<message>
<source>Runs on</source>
<translation>يعمل على</translation>
</message>
<message>
<source>Rust</source>
<translation>صدئي</translation>
</message>
<message>
<source>Same as system</source>
<translation>مثل النظام</translation>
</message>
<message>
<source>Same name twice</source>
<translation>اسم مكرر</translation>
</message>
<message>
<source>Save</source>
<translation>حفظ</translation>
</message>
<message>
<source>Save &amp;changes of this view</source>
<translation>حفظ ت&amp;غييرات طريقة العرض هذه</translation>
</message>
<message>
<source>Save PDF</source>
<translation>حفظ PDF</translation>
</message>
<message>
<source>Save anyway</source>
<translation>حفظ على أي حال</translation>
</message>
<message>
<source>Save as CSV</source>
<translation>حفظ بصيغة CSV</translation>
</message>
<message>
<source>Save as PDF</source>
<translation>حفظ بصيغة PDF</translation>
</message>
<message>
<source>Save as profile</source>
<translation>حفظ كملف تعريف</translation>
</message>
<message>
<source>Save as profile…</source>
<translation>حفظ كملف تعريف…</translation>
</message>
<message>
<source>Save it as a file, keep only the parts about pets, categories, orders and stock, and choose that file as the connection’s document.</source>
<translation>احفظه في ملف، وأبقِ الأجزاء الخاصة بالحيوانات والفئات والطلبيات والمخزون فقط، ثم اختر هذا الملف مستندًا للاتصال.</translation>
</message>
<message>
<source>Save the protocol as CSV</source>
<translation>حفظ المحضر بصيغة CSV</translation>
</message>
<message>
<source>Save the table as CSV or XLSX, and import that.</source>
<translation>احفظ الجدول بصيغة CSV أو XLSX، واستورد ذلك الملف.</translation>
</message>
<message>
<source>Save this choice of operations?</source>
<translation>هل تريد حفظ هذا الاختيار للعمليات؟</translation>
</message>
<message>
<source>Save view</source>
<translation>حفظ طريقة العرض</translation>
</message>
<message>
<source>Save {changes}</source>
<translation>حفظ ({changes})</translation>
</message>
<message numerus="yes">
<source>Save {n} values in {changes}</source>
<translation>
<numerusform>حفظ القيم ({n}) في {changes}</numerusform>
<numerusform>حفظ القيم ({n}) في {changes}</numerusform>
<numerusform>حفظ القيم ({n}) في {changes}</numerusform>
<numerusform>حفظ القيم ({n}) في {changes}</numerusform>
<numerusform>حفظ القيم ({n}) في {changes}</numerusform>
<numerusform>حفظ القيم ({n}) في {changes}</numerusform>
</translation>
</message>
<message>
<source>Save {view}</source>
<translation>حفظ {view}</translation>
</message>
<message>
<source>Saved as you count: closing the program loses nothing</source>
<translation>يُحفظ أثناء العدّ: إغلاق البرنامج لا يُضيع شيئًا</translation>
</message>
<message>
<source>Saved as you scan: closing the program loses nothing</source>
<translation>يُحفظ أثناء المسح: إغلاق البرنامج لا يُضيع شيئًا</translation>
</message>
<message>
<source>Saved at once, then sent: 1 request.</source>
<translation>يجري الحفظ فورًا، ثم الإرسال: طلب واحد.</translation>
</message>
<message>
<source>Saved changes are safe. Until this is solved nothing can be changed or sent.</source>
<translation>التغييرات المحفوظة آمنة. وإلى أن يُحل هذا لا يمكن تغيير شيء أو إرساله.</translation>
</message>
<message>
<source>Saved on this computer</source>
<translation>محفوظ على هذا الكمبيوتر</translation>
</message>
<message>
<source>Saved on this computer at once, then sent.</source>
<translation>تُحفظ على هذا الكمبيوتر فورًا، ثم تُرسل.</translation>
</message>
<message>
<source>Saved on this computer {time}.</source>
<translation>حُفظ على هذا الكمبيوتر ({time}).</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out after one test request.</source>
<translation>حُفظ على هذا الكمبيوتر ({time}). يُرسل بعد طلب اختبار واحد.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out after {until}, when the ban is over.</source>
<translation>حُفظ على هذا الكمبيوتر ({time}). يُرسل ابتداءً من {until}، عندما ينتهي الحظر.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out after {until}, with the next day’s requests.</source>
<translation>حُفظ على هذا الكمبيوتر ({time}). يُرسل ابتداءً من {until}، ضمن طلبات اليوم التالي.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out after {until}: the rest of today’s requests is kept for you.</source>
<translation>حُفظ على هذا الكمبيوتر ({time}). يُرسل ابتداءً من {until}: ما بقي من طلبات اليوم مخصص لك.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out in its turn.</source>
<translation>حُفظ على هذا الكمبيوتر ({time}). يُرسل في دوره.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out next.</source>
<translation>حُفظ على هذا الكمبيوتر ({time}). يُرسل تاليًا.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out once there is a key that works.</source>
<translation>حُفظ على هذا الكمبيوتر ({time}). يُرسل عندما يتوفر مفتاح صالح.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out when the ban is over.</source>
<translation>حُفظ على هذا الكمبيوتر ({time}). يُرسل عندما ينتهي الحظر.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out when the pause is over.</source>
<translation>حُفظ على هذا الكمبيوتر ({time}). يُرسل عندما ينتهي الإيقاف المؤقت.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out when the service has requests left again.</source>
<translation>حُفظ على هذا الكمبيوتر ({time}). يُرسل عندما تتوفر لدى الخدمة طلبات متبقية مرة أخرى.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out when the service takes requests again.</source>
<translation>حُفظ على هذا الكمبيوتر ({time}). يُرسل عندما تقبل الخدمة الطلبات مرة أخرى.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out with the next day’s requests.</source>
<translation>حُفظ على هذا الكمبيوتر ({time}). يُرسل ضمن طلبات اليوم التالي.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out with the next minute’s requests.</source>
<translation>حُفظ على هذا الكمبيوتر ({time}). يُرسل ضمن طلبات الدقيقة التالية.</translation>
</message>
<message>
<source>Saved on this computer {time}. Its job is paused.</source>
<translation>حُفظ على هذا الكمبيوتر ({time}). مهمته متوقفة مؤقتًا.</translation>
</message>
<message>
<source>Saved on this computer {time}. There is no key yet, so nothing is sent (File &gt; Change key).</source>
<translation>حُفظ على هذا الكمبيوتر ({time}). لا مفتاح بعد، لذا لا يُرسل شيء (ملف &gt; تغيير المفتاح).</translation>
</message>
<message>
<source>Saved on this computer {time}. Waits for an earlier change that needs attention.</source>
<translation>حُفظ على هذا الكمبيوتر ({time}). ينتظر تغييرًا سابقًا يتطلب الانتباه.</translation>
</message>
<message>
<source>Saved on this computer {time}. Waits for the network.</source>
<translation>حُفظ على هذا الكمبيوتر ({time}). ينتظر الشبكة.</translation>
</message>
<message>
<source>Saved on this computer {time}. Waits: the rest of today’s requests is kept for you.</source>
<translation>حُفظ على هذا الكمبيوتر ({time}). ينتظر: ما بقي من طلبات اليوم مخصص لك.</translation>
</message>
<message>
<source>Saved on this computer. Not sent: this connection is read-only.</source>
<translation>محفوظ على هذا الكمبيوتر. لم يُرسل: هذا الاتصال للقراءة فقط.</translation>
</message>
<message>
<source>Saves the filter, sort and columns of this list on this computer.</source>
<translation>يحفظ عوامل التصفية والفرز والأعمدة في هذه القائمة على هذا الكمبيوتر.</translation>
</message>
<message>
<source>Scan a code that is missing: you are asked for its pet again.</source>
<translation>امسح بالماسح رمزًا ناقصًا: سيُطلب منك تحديد حيوانه مرة أخرى.</translation>
</message>
<message>
<source>Scan the first pet, or type its id or name.</source>
<translation>امسح رمز أول حيوان بالماسح، أو اكتب معرّفه أو اسمه.</translation>
</message>
<message>
<source>Scan the next pet, or type its id or name.</source>
<translation>امسح رمز الحيوان التالي بالماسح، أو اكتب معرّفه أو اسمه.</translation>
</message>
<message>
<source>Scan what came in</source>
<translation>امسح بالماسح رموز ما وصل</translation>
</message>
<message>
<source>Scan, or type an id or a name</source>
<translation>امسح رمزًا بالماسح، أو اكتب معرّفًا أو اسمًا</translation>
</message>
<message>
<source>Scanned at</source>
<translation>وقت المسح</translation>
</message>
<message>
<source>Scanned {what}. Close this window first, then scan again.</source>
<translation>قرأ الماسح {what}. أغلق هذه النافذة أولًا، ثم أعد المسح.</translation>
</message>
<message>
<source>Scanner</source>
<translation>الماسح</translation>
</message>
<message>
<source>Scans</source>
<translation>مرات المسح</translation>
</message>
<message>
<source>Scene</source>
<translation>السيناريو</translation>
</message>
<message>
<source>Search or &amp;jump to…</source>
<translation>&amp;بحث أو انتقال إلى…</translation>
</message>
<message>
<source>Search the manual</source>
<translation>البحث في الدليل</translation>
</message>
<message>
<source>Searching…</source>
<translation>جارٍ البحث…</translation>
</message>
<message>
<source>See the service’s documentation; it often ends in /v1.</source>
<translation>راجع وثائق الخدمة؛ كثيرًا ما ينتهي العنوان بـ ‎/v1.</translation>
</message>
<message>
<source>Seen</source>
<translation>وقت الرصد</translation>
</message>
<message>
<source>Select &amp;all</source>
<translation>تحديد ال&amp;كل</translation>
</message>
<message>
<source>Select &amp;whole rows</source>
<translation>تحديد &amp;صفوف كاملة</translation>
</message>
<message>
<source>Select cells that form a block to copy them.</source>
<translation>حدد خلايا تشكّل نطاقًا متصلًا لنسخها.</translation>
</message>
<message>
<source>Select pets in the Pets or Inventory list, then press Ctrl+L.</source>
<translation>حدد حيوانات في قائمة الحيوانات أو المخزون، ثم اضغط Ctrl+L.</translation>
</message>
<message>
<source>Select rows first.</source>
<translation>حدد صفوفًا أولًا.</translation>
</message>
<message>
<source>Select whole columns</source>
<translation>تحديد أعمدة كاملة</translation>
</message>
<message>
<source>Selected: {rows}</source>
<translation>المحدد: {rows}</translation>
</message>
<message>
<source>Semicolon</source>
<translation>فاصلة منقوطة</translation>
</message>
<message>
<source>Send again</source>
<translation>إعادة الإرسال</translation>
</message>
<message>
<source>Send again sends it now; It was done sends nothing.</source>
<translation>«إعادة الإرسال» يرسله الآن؛ و«تم بالفعل» لا يرسل شيئًا.</translation>
</message>
<message>
<source>Send first</source>
<translation>الإرسال أولًا</translation>
</message>
<message>
<source>Send {changes}</source>
<translation>إرسال: {changes}</translation>
</message>
<message numerus="yes">
<source>Send {n}</source>
<translation>
<numerusform>إرسال ({n})</numerusform>
<numerusform>إرسال ({n})</numerusform>
<numerusform>إرسال ({n})</numerusform>
<numerusform>إرسال ({n})</numerusform>
<numerusform>إرسال ({n})</numerusform>
<numerusform>إرسال ({n})</numerusform>
</translation>
</message>
<message numerus="yes">
<source>Send {n} again</source>
<translation>
<numerusform>إعادة الإرسال ({n})</numerusform>
<numerusform>إعادة الإرسال ({n})</numerusform>
<numerusform>إعادة الإرسال ({n})</numerusform>
<numerusform>إعادة الإرسال ({n})</numerusform>
<numerusform>إعادة الإرسال ({n})</numerusform>
<numerusform>إعادة الإرسال ({n})</numerusform>
</translation>
</message>
<message>
<source>Sending is paused for {left}</source>
<translation>الإرسال متوقف مؤقتًا: مدة الانتظار {left}</translation>
</message>
<message>
<source>Sending is paused until {time}.</source>
<translation>الإرسال متوقف مؤقتًا حتى {time}.</translation>
</message>
<message>
<source>Sending is paused.</source>
<translation>الإرسال متوقف مؤقتًا.</translation>
</message>
<message>
<source>Sent</source>
<translation>أُرسل</translation>
</message>
<message>
<source>Sent to the printer</source>
<translation>أُرسل إلى الطابعة</translation>
</message>
<message>
<source>Sent {seen}, no answer came. Look in the list whether it is there.</source>
<translation>أُرسل ({seen})، ولم يصل رد. انظر في القائمة هل هو موجود.</translation>
</message>
<message>
<source>Sent {time}.</source>
<translation>أُرسل ({time}).</translation>
</message>
<message>
<source>Sent {time}. The record may be a colleague’s: it has the values that you entered, but the service never confirmed yours.</source>
<translation>أُرسل {time}. قد يكون السجل لزميل: فيه القيم التي أدخلتها، لكن الخدمة لم تؤكد سجلك قط.</translation>
</message>
<message>
<source>Sent {time}. Undone since.</source>
<translation>أُرسل ({time}). ثم تم التراجع عنه.</translation>
</message>
<message>
<source>Sentence copied</source>
<translation>نُسخت الجملة</translation>
</message>
<message>
<source>Separator</source>
<translation>الفاصل</translation>
</message>
<message>
<source>Server response</source>
<translation>رد الخادم</translation>
</message>
<message>
<source>Set</source>
<translation>تعيين</translation>
</message>
<message>
<source>Set &amp;sold</source>
<translation>تعيين كمبا&amp;ع</translation>
</message>
<message>
<source>Set a&amp;vailable</source>
<translation>تعيين كم&amp;تاح</translation>
</message>
<message>
<source>Set all stock shown to &amp;0…</source>
<translation>تعيين كل المخز&amp;ون المعروض إلى صفر…</translation>
</message>
<message>
<source>Set an http proxy (HTTPS_PROXY), or exclude this service (NO_PROXY). Then restart the program.</source>
<translation>عيّن في HTTPS_PROXY خادمًا وكيلًا من نوع http، أو استثنِ هذه الخدمة في NO_PROXY. ثم أعد تشغيل البرنامج.</translation>
</message>
<message>
<source>Set minimums…</source>
<translation>تعيين الحد الأدنى…</translation>
</message>
<message>
<source>Set one up to store the key. Until then the program asks for it at each start.</source>
<translation>أعدّ سلسلة مفاتيح لحفظ المفتاح. وحتى ذلك الحين يطلبه البرنامج عند كل بدء تشغيل.</translation>
</message>
<message>
<source>Set one up, or give the key in the variable PETSTORE_API_KEY.</source>
<translation>أعدّ سلسلة مفاتيح، أو ضع المفتاح في المتغير PETSTORE_API_KEY.</translation>
</message>
<message>
<source>Set pendin&amp;g</source>
<translation>تعيين كمح&amp;جوز</translation>
</message>
<message>
<source>Set stock to &amp;0…</source>
<translation>تعيين المخز&amp;ون إلى صفر…</translation>
</message>
<message>
<source>Set the minimum stock again (Shop &gt; Minimum stock).</source>
<translation>عيّن الحد الأدنى للمخزون مرة أخرى (المتجر &gt; الحد الأدنى للمخزون).</translation>
</message>
<message>
<source>Set them in its address (HTTPS_PROXY=http://name:password@proxy). Then restart the program.</source>
<translation>عيّنها في عنوانه (HTTPS_PROXY=http://name:password@proxy). ثم أعد تشغيل البرنامج.</translation>
</message>
<message>
<source>Set these values again, or connect again under the same name and address.</source>
<translation>عيّن هذه القيم مرة أخرى، أو أعد الاتصال بالاسم والعنوان نفسيهما.</translation>
</message>
<message>
<source>Set {things} to {value}</source>
<translation>تعيين الحالة إلى «{value}»: {things}</translation>
</message>
<message>
<source>Several categories have this name: enter the id.</source>
<translation>عدة فئات لها هذا الاسم: أدخل المعرّف.</translation>
</message>
<message>
<source>Several pets have {code}</source>
<translation>عدة حيوانات لها الرمز {code}</translation>
</message>
<message>
<source>Several pets have {code}. Which one is it?</source>
<translation>عدة حيوانات لها الرمز {code}. أيها المقصود؟</translation>
</message>
<message>
<source>Sheet</source>
<translation>الورقة</translation>
</message>
<message>
<source>Sheet</source>
<comment>of a workbook</comment>
<translation>الورقة</translation>
</message>
<message>
<source>Sheet {page} of {pages}</source>
<translation>الورقة {page} من {pages}</translation>
</message>
<message>
<source>Sheet, height</source>
<translation>ارتفاع الورقة</translation>
</message>
<message>
<source>Sheet, width</source>
<translation>عرض الورقة</translation>
</message>
<message>
<source>Shift JIS, Japanese</source>
<translation>اليابانية (Shift JIS)</translation>
</message>
<message>
<source>Shift+F5</source>
<translation>Shift+F5</translation>
</message>
<message>
<source>Ship date</source>
<translation>تاريخ الشحن</translation>
</message>
<message>
<source>Shop</source>
<translation>المتجر</translation>
</message>
<message>
<source>Show</source>
<translation>إظهار</translation>
</message>
<message>
<source>Show all changes</source>
<translation>إظهار كل التغييرات</translation>
</message>
<message>
<source>Show each request</source>
<translation>إظهار كل طلب</translation>
</message>
<message>
<source>Show its o&amp;rders</source>
<translation>إ&amp;ظهار الطلبيات</translation>
</message>
<message>
<source>Show me, in a minute and a half</source>
<translation>عرض في دقيقة ونصف</translation>
</message>
<message>
<source>Show outbox</source>
<translation>عرض صندوق الصادر</translation>
</message>
<message>
<source>Show the report</source>
<translation>عرض التقرير</translation>
</message>
<message>
<source>Shown: {rows}</source>
<translation>المعروض: {rows}</translation>
</message>
<message>
<source>Shows the requests left and who used them</source>
<translation>يعرض طلبات الخدمة المتبقية ومن استخدمها</translation>
</message>
<message>
<source>Signs such as | and ! work in the filters below the headers.</source>
<translation>تعمل علامات مثل | و! في عوامل التصفية أسفل العناوين.</translation>
</message>
<message>
<source>Since</source>
<translation>منذ</translation>
</message>
<message>
<source>Since you left</source>
<translation>منذ مغادرتك</translation>
</message>
<message>
<source>Since {time}: {parts}.</source>
<translation>منذ {time}: {parts}.</translation>
</message>
<message>
<source>Slate</source>
<translation>أردوازي</translation>
</message>
<message>
<source>Sold</source>
<translation>مباع</translation>
</message>
<message>
<source>Sold pets with stock</source>
<translation>حيوانات مباعة لها مخزون</translation>
</message>
<message>
<source>Sold with stock</source>
<translation>مباع وله مخزون</translation>
</message>
<message>
<source>Some name categories that may be newer than the list of categories. Refresh the categories to tell.</source>
<translation>بعضها يذكر فئات قد تكون أحدث من قائمة الفئات. حدّث الفئات لمعرفة ذلك.</translation>
</message>
<message>
<source>Some name pets that may be newer than the list of pets. Refresh the pets to tell.</source>
<translation>بعضها يذكر حيوانات قد تكون أحدث من قائمة الحيوانات. حدّث الحيوانات لمعرفة ذلك.</translation>
</message>
<message>
<source>Some records name others that are not here: they may be new. Refresh to be sure: {lists}.</source>
<translation>تذكر بعض السجلات سجلات ليست هنا، وقد تكون جديدة. حدّث للتأكد: {lists}.</translation>
</message>
<message>
<source>Some values in {file} cannot be used: {what}.</source>
<translation>لا يمكن استخدام بعض القيم في {file}: {what}.</translation>
</message>
<message>
<source>Somebody else changed it between {since} and {time}.</source>
<translation>غيّره شخص آخر بين {since} و{time}.</translation>
</message>
<message>
<source>Somebody else edits too</source>
<translation>شخص آخر يحرر أيضًا</translation>
</message>
<message>
<source>Something answers at {url}, but it has no OpenAPI document there and none of the standard operations.</source>
<translation>وصل رد من {url}، لكن لا يوجد هناك مستند OpenAPI ولا أي من العمليات القياسية.</translation>
</message>
<message>
<source>Something answers at {url}, but nothing shows that it is the service.</source>
<translation>وصل رد من {url}، لكن لا شيء يدل على أنه من الخدمة.</translation>
</message>
<message>
<source>Something answers, but not with a list of a pet shop.</source>
<translation>وصل رد، لكنه ليس قائمة من متجر حيوانات.</translation>
</message>
<message>
<source>Something is missing after {text}.</source>
<translation>ينقص شيء بعد {text}.</translation>
</message>
<message>
<source>Sort &amp;ascending</source>
<translation>فرز ت&amp;صاعدي</translation>
</message>
<message>
<source>Sort &amp;descending</source>
<translation>فرز ت&amp;نازلي</translation>
</message>
<message>
<source>Sound of a scan</source>
<translation>صوت المسح</translation>
</message>
<message>
<source>Squares of {width} mm: hard to scan. Choose larger labels.</source>
<translation>مربعات بعرض {width} مم: يصعب مسحها. اختر ملصقات أكبر.</translation>
</message>
<message>
<source>Squares of {width} mm: safe for hand scanners</source>
<translation>مربعات بعرض {width} مم: مناسبة للماسحات اليدوية</translation>
</message>
<message>
<source>Stands beside each of these changes in the history.</source>
<translation>تظهر إلى جانب كل من هذه التغييرات في المحفوظات.</translation>
</message>
<message>
<source>Start at label</source>
<translation>البدء من الملصق</translation>
</message>
<message>
<source>Start it again, or log in again, then enter the key.</source>
<translation>شغّلها من جديد، أو سجّل الدخول مرة أخرى، ثم أدخل المفتاح.</translation>
</message>
<message>
<source>Start over</source>
<translation>البدء من جديد</translation>
</message>
<message>
<source>State</source>
<translation>الوضع</translation>
</message>
<message>
<source>Status</source>
<translation>الحالة</translation>
</message>
<message>
<source>Stock</source>
<translation>المخزون</translation>
</message>
<message>
<source>Stock at or below the minimum is marked low. Both are kept on this computer only.</source>
<translation>يُعلَّم المخزون عند الحد الأدنى أو دونه بأنه منخفض. وتُحفظ القيمتان على هذا الكمبيوتر فقط.</translation>
</message>
<message>
<source>Stock below zero</source>
<translation>مخزون دون الصفر</translation>
</message>
<message>
<source>Stock changed</source>
<translation>المخزون المتغير</translation>
</message>
<message>
<source>Stock changed today</source>
<translation>مخزون تغيّر اليوم</translation>
</message>
<message>
<source>Stock entries</source>
<translation>قيود المخزون</translation>
</message>
<message>
<source>Stock is changed by the key that each of its entries has of its own: {name}.</source>
<translation>يُغيَّر المخزون بالمفتاح الخاص بكل قيد: {name}.</translation>
</message>
<message>
<source>Stock over time</source>
<translation>المخزون عبر الزمن</translation>
</message>
<message>
<source>Stock that needs attention</source>
<translation>مخزون يتطلب الانتباه</translation>
</message>
<message>
<source>Stock without a pet</source>
<translation>مخزون بلا حيوان</translation>
</message>
<message>
<source>Stocktake</source>
<translation>الجرد</translation>
</message>
<message>
<source>Stocktake begun</source>
<translation>الجرد جارٍ</translation>
</message>
<message>
<source>Stocktake {time}</source>
<translation>جرد {time}</translation>
</message>
<message>
<source>Stocktake: {what}</source>
<translation>جرد: {what}</translation>
</message>
<message>
<source>Stop</source>
<translation>إيقاف</translation>
</message>
<message>
<source>Stop reading</source>
<translation>إيقاف القراءة</translation>
</message>
<message>
<source>Stopped.</source>
<translation>توقف.</translation>
</message>
<message>
<source>Stopped. Nothing was saved.</source>
<translation>توقف. لم يُحفظ شيء.</translation>
</message>
<message>
<source>Stopped: {what}. {sent} of {n} were sent, and stay</source>
<translation>أُوقف: {what}. أُرسل {sent} من {n}، ويبقى ما أُرسل</translation>
</message>
<message>
<source>Such a change shows here with both values.</source>
<translation>يظهر مثل هذا التغيير هنا بقيمتيه.</translation>
</message>
<message>
<source>Supplier note</source>
<translation>ملاحظة المورّد</translation>
</message>
<message>
<source>Sw&amp;itch to another shop…</source>
<translation>التبديل إلى متج&amp;ر آخر…</translation>
</message>
<message>
<source>Swap them</source>
<translation>تبديلهما</translation>
</message>
<message>
<source>T&amp;hen by this, ascending</source>
<translation>&amp;ثم حسب هذا العمود، تصاعديًا</translation>
</message>
<message>
<source>Tab</source>
<translation>علامة جدولة</translation>
</message>
<message>
<source>Tables (*.csv *.tsv *.txt *.tab *.xlsx *.xlsm)</source>
<translation>الجداول (*.csv *.tsv *.txt *.tab *.xlsx *.xlsm)</translation>
</message>
<message>
<source>Tabs</source>
<translation>التبويبات</translation>
</message>
<message>
<source>Take out</source>
<translation>إزالة</translation>
</message>
<message>
<source>Take theirs</source>
<translation>اعتماد قيمتهم</translation>
</message>
<message>
<source>Teal</source>
<translation>أزرق مخضر</translation>
</message>
<message>
<source>Tell me when there is a newer version</source>
<translation>أعلمني عند توفر إصدار أحدث</translation>
</message>
<message>
<source>Tell the service’s provider. The program still obeys every wait.</source>
<translation>أبلغ مزوّد الخدمة. وما زال البرنامج يلتزم بكل انتظار تطلبه.</translation>
</message>
<message>
<source>Test after a pause</source>
<translation>اختبار بعد إيقاف مؤقت</translation>
</message>
<message>
<source>Test and connect</source>
<translation>اختبار واتصال</translation>
</message>
<message>
<source>Text for any spreadsheet (.csv)</source>
<translation>نص لأي جدول بيانات (.csv)</translation>
</message>
<message>
<source>That has not happened yet</source>
<translation>لم يحدث ذلك بعد</translation>
</message>
<message>
<source>That was a demo shop. Open it to try it yourself, or connect your own shop.</source>
<translation>كان هذا متجرًا تجريبيًا. افتحه لتجربه بنفسك، أو صِل متجرك.</translation>
</message>
<message>
<source>The OpenAPI document cannot be read: {path}.</source>
<translation>لا يمكن قراءة مستند OpenAPI: {path}.</translation>
</message>
<message>
<source>The OpenAPI document describes another service: {titled}. Nothing in it is what a pet shop needs.</source>
<translation>يصف مستند OpenAPI خدمة أخرى: {titled}. لا شيء فيه مما يحتاج إليه متجر حيوانات.</translation>
</message>
<message>
<source>The OpenAPI document has more than {most} operations, and the first ones are not what a pet shop needs.</source>
<translation>يحتوي مستند OpenAPI على أكثر من {most} عملية، والأولى منها ليست مما يحتاج إليه متجر حيوانات.</translation>
</message>
<message>
<source>The OpenAPI document has moved to another address: {target}.</source>
<translation>انتقل مستند OpenAPI إلى عنوان آخر: {target}.</translation>
</message>
<message>
<source>The OpenAPI document is larger than {megabytes} MB, so it was not read: {path}.</source>
<translation>مستند OpenAPI أكبر من {megabytes} ميغابايت، لذا لم يُقرأ: {path}.</translation>
</message>
<message>
<source>The OpenAPI document is much larger than its file once expanded ({why}), so it was not read to the end.</source>
<translation>مستند OpenAPI بعد توسيعه أكبر كثيرًا من ملفه ({why})، لذا لم يُقرأ حتى نهايته.</translation>
</message>
<message>
<source>The OpenAPI document is neither JSON nor YAML ({why}).</source>
<translation>مستند OpenAPI ليس JSON ولا YAML ({why}).</translation>
</message>
<message>
<source>The OpenAPI document is not at {path}. That address redirects to {target}; the program does not follow.</source>
<translation>مستند OpenAPI ليس في {path}. فذلك العنوان يعيد التوجيه إلى {target}؛ ولا يتبعه البرنامج.</translation>
</message>
<message>
<source>The OpenAPI document is of version {version}; the program reads OpenAPI 3.0 and 3.1, and Swagger 2.0.</source>
<translation>إصدار مستند OpenAPI هو {version}؛ ويقرأ البرنامج OpenAPI 3.0 و3.1 وSwagger 2.0.</translation>
</message>
<message>
<source>The OpenAPI document that was chosen: {named}.</source>
<translation>مستند OpenAPI الذي تم اختياره: {named}.</translation>
</message>
<message>
<source>The address holds a password; enter it as the key instead.</source>
<translation>يحتوي العنوان على كلمة مرور؛ أدخلها على أنها المفتاح.</translation>
</message>
<message>
<source>The address holds a user name or a password; nothing was sent.</source>
<translation>يحتوي العنوان على اسم مستخدم أو كلمة مرور؛ لم يُرسل شيء.</translation>
</message>
<message>
<source>The address must begin with https:// (http:// only for this computer).</source>
<translation>يجب أن يبدأ العنوان بـ https://‎ (ولا يصلح http://‎ إلا لهذا الكمبيوتر).</translation>
</message>
<message>
<source>The answer is not JSON, but {content_type}.</source>
<translation>الرد ليس JSON، بل {content_type}.</translation>
</message>
<message>
<source>The beginning of a word is enough.</source>
<translation>تكفي بداية الكلمة.</translation>
</message>
<message>
<source>The categories</source>
<translation>الفئات</translation>
</message>
<message>
<source>The categories are not all on this computer, and all are needed to tell.</source>
<translation>ليست كل الفئات على هذا الكمبيوتر، وهي لازمة كلها لمعرفة ذلك.</translation>
</message>
<message>
<source>The category’s id and name are both changed, and do not match.</source>
<translation>تغيّر معرّف الفئة واسمها معًا، وهما غير متطابقين.</translation>
</message>
<message>
<source>The certificate is trusted, by this computer or by {file}.</source>
<translation>الشهادة موثوقة، لدى هذا الكمبيوتر أو بفضل {file}.</translation>
</message>
<message>
<source>The certificate of {host} expired: {until}.</source>
<translation>انتهت صلاحية شهادة {host}: {until}.</translation>
</message>
<message>
<source>The certificate of {host} is not valid yet; it begins: {since}.</source>
<translation>شهادة {host} غير صالحة بعد؛ تبدأ صلاحيتها: {since}.</translation>
</message>
<message>
<source>The certificate of {host} is self-signed, so this computer does not trust it.</source>
<translation>شهادة {host} موقّعة ذاتيًا، لذا لا يثق بها هذا الكمبيوتر.</translation>
</message>
<message>
<source>The certificate of {host} is signed by {issuer}, which this computer does not trust.</source>
<translation>شهادة {host} موقّعة من {issuer}، ولا يثق هذا الكمبيوتر بهذه الجهة.</translation>
</message>
<message>
<source>The certificate of {host} was revoked by its authority.</source>
<translation>أبطلت جهة الإصدار شهادة {host}.</translation>
</message>
<message>
<source>The certificate that {host} shows is not for this name, but for {names}.</source>
<translation>الشهادة التي يقدمها {host} ليست لهذا الاسم، بل لـ {names}.</translation>
</message>
<message>
<source>The changes cannot be read</source>
<translation>لا يمكن قراءة التغييرات</translation>
</message>
<message>
<source>The changes of the rehearsal wait under Shop &gt; Rehearse.</source>
<translation>تنتظر تغييرات المحاكاة في المتجر &gt; محاكاة.</translation>
</message>
<message>
<source>The characters of this file can be read in several ways. Choose its encoding.</source>
<translation>يمكن قراءة حروف هذا الملف بعدة طرق. اختر ترميزه.</translation>
</message>
<message>
<source>The check was stopped.</source>
<translation>أُوقف الفحص.</translation>
</message>
<message>
<source>The connection and its data are still here.</source>
<translation>ما زال الاتصال وبياناته موجودين هنا.</translation>
</message>
<message>
<source>The connection broke while it was sent. It may have arrived. The program checks, and sends nothing twice.</source>
<translation>انقطع الاتصال أثناء إرساله. ربما وصل. يتحقق البرنامج من ذلك، ولا يرسل شيئًا مرتين.</translation>
</message>
<message>
<source>The connection follows a profile, and nothing is guessed: {named}.</source>
<translation>يتبع الاتصال ملف تعريف، ولا يُخمَّن شيء: {named}.</translation>
</message>
<message>
<source>The connection follows the profile {named}, from which the service’s own document differs: {differences}.</source>
<translation>يتبع الاتصال ملف التعريف {named}، ويختلف عنه مستند الخدمة: {differences}.</translation>
</message>
<message>
<source>The connection to {host} broke before the answer came.</source>
<translation>انقطع الاتصال بـ {host} قبل وصول الرد.</translation>
</message>
<message>
<source>The connection’s CA file cannot be read: {path}.</source>
<translation>لا يمكن قراءة ملف CA للاتصال: {path}.</translation>
</message>
<message>
<source>The connection’s CA file holds no certificate: {path}.</source>
<translation>لا يحتوي ملف CA للاتصال على أي شهادة: {path}.</translation>
</message>
<message>
<source>The connection’s CA file is gone: {path}.</source>
<translation>لم يعد ملف CA للاتصال موجودًا: {path}.</translation>
</message>
<message>
<source>The connection’s CA file is too large: {path}.</source>
<translation>ملف CA للاتصال كبير جدًا: {path}.</translation>
</message>
<message>
<source>The corrections will be lost.</source>
<translation>ستضيع التصحيحات.</translation>
</message>
<message>
<source>The data and the keys of your shops are still here.</source>
<translation>ما زالت بيانات متاجرك ومفاتيحها موجودة هنا.</translation>
</message>
<message>
<source>The data check no longer finds it: left out</source>
<translation>لم يعد فحص البيانات يعثر عليه: مستبعد</translation>
</message>
<message>
<source>The dates can be read in two ways: 03/04 is 3 April or 4 March. Choose how they are written.</source>
<translation>يمكن قراءة التواريخ بطريقتين: 03/04 هو 3 أبريل أو 4 مارس. اختر كيف كُتبت.</translation>
</message>
<message>
<source>The demo shop did not start.</source>
<translation>لم يبدأ المتجر التجريبي.</translation>
</message>
<message>
<source>The disk is full.</source>
<translation>القرص ممتلئ.</translation>
</message>
<message>
<source>The document calls it {note}.</source>
<translation>يسميها المستند {note}.</translation>
</message>
<message>
<source>The document is the one that the service publishes: {name}.</source>
<translation>المستند هو الذي تنشره الخدمة: {name}.</translation>
</message>
<message>
<source>The document is the one that was chosen for this connection: {name}.</source>
<translation>المستند هو الذي تم اختياره لهذا الاتصال: {name}.</translation>
</message>
<message>
<source>The field is a guess by its name. Choose its name first, so that {shop} gets what you mean (File &gt; Operations &gt; Fields).</source>
<translation>الحقل تخمين بحسب اسمه. اختر اسمه أولًا، كي يصل إلى {shop} ما تقصده (ملف &gt; العمليات &gt; الحقول).</translation>
</message>
<message>
<source>The file does not have this encoding. Choose another one.</source>
<translation>الملف ليس بهذا الترميز. اختر ترميزًا آخر.</translation>
</message>
<message>
<source>The file has more than {n} cells. Leave out columns that are not needed, or split it, and import the parts.</source>
<translation>يحتوي الملف على أكثر من {n} خلية. احذف الأعمدة التي لا حاجة إليها، أو قسّمه واستورد الأجزاء.</translation>
</message>
<message>
<source>The file has more than {n} columns. Leave out those that are not needed.</source>
<translation>يحتوي الملف على أكثر من {n} عمود. احذف منه ما لا حاجة إليه.</translation>
</message>
<message>
<source>The file has more than {n} rows. Split it, and import the parts.</source>
<translation>يحتوي الملف على أكثر من {n} صف. قسّمه واستورد الأجزاء.</translation>
</message>
<message>
<source>The file of pauses and request counts is gone: {file}.</source>
<translation>لم يعد ملف فترات الإيقاف المؤقت وأعداد الطلبات موجودًا: {file}.</translation>
</message>
<message>
<source>The file of pauses and request counts was damaged. It is kept as {file}.</source>
<translation>كان ملف فترات الإيقاف المؤقت وأعداد الطلبات تالفًا. وقد حُفظ باسم {file}.</translation>
</message>
<message>
<source>The file of settings and connections was damaged. It is kept as {file}.</source>
<translation>كان ملف الإعدادات والاتصالات تالفًا. وقد حُفظ باسم {file}.</translation>
</message>
<message>
<source>The file of your bar codes was damaged. It is kept as {file}.</source>
<translation>كان ملف الرموز الشريطية تالفًا. وقد حُفظ باسم {file}.</translation>
</message>
<message>
<source>The file of your changes is gone: {file}.</source>
<translation>لم يعد ملف تغييراتك موجودًا: {file}.</translation>
</message>
<message>
<source>The file of your changes was damaged. It is kept as {file}.</source>
<translation>كان ملف تغييراتك تالفًا. وقد حُفظ باسم {file}.</translation>
</message>
<message>
<source>The file of your earlier changes was damaged. It is kept as {file}.</source>
<translation>كان ملف تغييراتك السابقة تالفًا. وقد حُفظ باسم {file}.</translation>
</message>
<message>
<source>The file of your minimum stock was damaged. It is kept as {file}.</source>
<translation>كان ملف الحد الأدنى للمخزون تالفًا. وقد حُفظ باسم {file}.</translation>
</message>
<message numerus="yes">
<source>The file says that {n} of its rows are missing. Records that are not in it stay as they are.</source>
<translation>
<numerusform>لا صفوف ناقصة وفق الملف.</numerusform>
<numerusform>يذكر الملف أن صفًا واحدًا من صفوفه ناقص. تبقى السجلات غير الواردة فيه كما هي.</numerusform>
<numerusform>يذكر الملف أن صفين من صفوفه ناقصان. تبقى السجلات غير الواردة فيه كما هي.</numerusform>
<numerusform>يذكر الملف أن {n} من صفوفه ناقصة. تبقى السجلات غير الواردة فيه كما هي.</numerusform>
<numerusform>يذكر الملف أن {n} من صفوفه ناقصة. تبقى السجلات غير الواردة فيه كما هي.</numerusform>
<numerusform>يذكر الملف أن {n} من صفوفه ناقصة. تبقى السجلات غير الواردة فيه كما هي.</numerusform>
</translation>
</message>
<message>
<source>The first moment is after the second one</source>
<translation>اللحظة الأولى بعد الثانية</translation>
</message>
<message>
<source>The first one: {reason}</source>
<translation>أولها: {reason}</translation>
</message>
<message>
<source>The first {n} of {all}.</source>
<translation>أول {n} من {all}.</translation>
</message>
<message>
<source>The history begins on {time}: nothing is known of these days.</source>
<translation>تبدأ المحفوظات في {time}: لا يُعرف شيء عن هذه الأيام.</translation>
</message>
<message>
<source>The history begins with the first complete reading of the shop. Come back after it.</source>
<translation>تبدأ المحفوظات بأول قراءة كاملة للمتجر. عُد بعدها.</translation>
</message>
<message>
<source>The history begins with the first reading.</source>
<translation>تبدأ المحفوظات بأول قراءة.</translation>
</message>
<message>
<source>The history cannot be read</source>
<translation>لا يمكن قراءة المحفوظات</translation>
</message>
<message>
<source>The history cannot be read: the report is made without it. {why}</source>
<translation>لا يمكن قراءة المحفوظات: يُعدّ التقرير من دونها. {why}</translation>
</message>
<message>
<source>The history does not go back so far</source>
<translation>لا تمتد المحفوظات إلى ذلك الوقت</translation>
</message>
<message>
<source>The history of this shop cannot be recorded: {file} cannot be used.</source>
<translation>لا يمكن تسجيل محفوظات هذا المتجر: لا يمكن استخدام {file}.</translation>
</message>
<message>
<source>The history of this shop is gone: {file}.</source>
<translation>لم تعد محفوظات هذا المتجر موجودة: {file}.</translation>
</message>
<message>
<source>The history of this shop was damaged. It is kept as {file}.</source>
<translation>كانت محفوظات هذا المتجر تالفة. وقد حُفظت باسم {file}.</translation>
</message>
<message>
<source>The key contains characters that cannot be sent. Nothing was sent.</source>
<translation>يحتوي المفتاح على أحرف لا يمكن إرسالها. لم يُرسل شيء.</translation>
</message>
<message>
<source>The key is banned: unsent changes go out when the program is open after {time}.</source>
<translation>المفتاح محظور: تُرسل التغييرات غير المرسلة عندما يكون البرنامج مفتوحًا ابتداءً من {time}.</translation>
</message>
<message>
<source>The key is longer than 16,384 characters, which no service takes. Nothing was sent.</source>
<translation>المفتاح أطول من 16384 حرفًا، ولا تقبل أي خدمة ذلك. لم يُرسل شيء.</translation>
</message>
<message>
<source>The key is taken at {url}; at the address that you gave nothing asks for it.</source>
<translation>يُقبل المفتاح في {url}؛ أما في العنوان الذي أدخلته فلا شيء يطلبه.</translation>
</message>
<message>
<source>The key may not read these lists: {lists}.</source>
<translation>لا يُسمح للمفتاح بقراءة هذه القوائم: {lists}.</translation>
</message>
<message>
<source>The key may not read this list: {lists}.</source>
<translation>لا يُسمح للمفتاح بقراءة هذه القائمة: {lists}.</translation>
</message>
<message>
<source>The keyring did not answer within five seconds, so there is no key; only the document was asked for.</source>
<translation>لم تستجب سلسلة المفاتيح خلال خمس ثوانٍ، لذا لا يوجد مفتاح؛ لم يُطلب سوى المستند.</translation>
</message>
<message>
<source>The keyring did not answer within five seconds.</source>
<translation>لم ترد سلسلة المفاتيح خلال خمس ثوانٍ.</translation>
</message>
<message>
<source>The keyring is locked, so there is no key; only the document was asked for.</source>
<translation>سلسلة المفاتيح مقفلة، لذا لا يوجد مفتاح؛ لم يُطلب سوى المستند.</translation>
</message>
<message>
<source>The keyring is locked.</source>
<translation>سلسلة المفاتيح مقفلة.</translation>
</message>
<message>
<source>The keyring stopped while it was asked.</source>
<translation>توقفت سلسلة المفاتيح أثناء الاستعلام منها.</translation>
</message>
<message>
<source>The keyring took the key, but did not give it back.</source>
<translation>تلقت سلسلة المفاتيح المفتاح، لكنها لم تُعده.</translation>
</message>
<message>
<source>The keys are sent in these headers or parameters: {names}.</source>
<translation>تُرسل المفاتيح في هذه الترويسات أو المعلمات: {names}.</translation>
</message>
<message>
<source>The labels need {limit} mm; the sheet is lower.</source>
<translation>تحتاج الملصقات إلى {limit} مم؛ والورقة أقصر من ذلك.</translation>
</message>
<message>
<source>The labels need {limit} mm; the sheet is narrower.</source>
<translation>تحتاج الملصقات إلى {limit} مم؛ والورقة أضيق من ذلك.</translation>
</message>
<message>
<source>The last act cannot be undone</source>
<translation>لا يمكن التراجع عن آخر إجراء</translation>
</message>
<message>
<source>The last requests of the minute are kept for what you ask for, and to read lists.</source>
<translation>تُحفظ آخر طلبات الدقيقة لما تطلبه أنت ولقراءة القوائم.</translation>
</message>
<message>
<source>The last step of the count is undone</source>
<translation>تم التراجع عن آخر خطوة في الجرد</translation>
</message>
<message>
<source>The licence’s text is at {address}, the source of both at {source}.</source>
<translation>نص الرخصة على {address}، والشيفرة المصدرية لكليهما على {source}.</translation>
</message>
<message>
<source>The list has no record with the id {id}</source>
<translation>لا سجل في القائمة بالمعرّف {id}</translation>
</message>
<message>
<source>The list loads when the network is back. Your edits are kept.</source>
<translation>تُحمَّل القائمة عندما تعود الشبكة. وتعديلاتك محفوظة.</translation>
</message>
<message>
<source>The list of earlier requests was damaged. It is kept as {file}.</source>
<translation>كانت قائمة الطلبات السابقة تالفة. وقد حُفظت باسم {file}.</translation>
</message>
<message>
<source>The lists show what the service has. From now on, each change of this kind is looked at.</source>
<translation>تعرض القوائم ما لدى الخدمة. من الآن فصاعدًا يُتحقق من كل تغيير من هذا النوع.</translation>
</message>
<message>
<source>The longest name</source>
<translation>أطول اسم</translation>
</message>
<message>
<source>The longest name, twice as large</source>
<translation>أطول اسم، بضعف الحجم</translation>
</message>
<message>
<source>The name in this program.</source>
<translation>الاسم في هذا البرنامج.</translation>
</message>
<message>
<source>The network may be slow, or a firewall in between.</source>
<translation>قد تكون الشبكة بطيئة، أو قد يعترضها جدار حماية.</translation>
</message>
<message>
<source>The new key is used at once for all unsent changes.</source>
<translation>يُستخدم المفتاح الجديد فورًا لكل التغييرات غير المرسلة.</translation>
</message>
<message>
<source>The next one is free at {time}.</source>
<translation>الطلب التالي متاح عند {time}.</translation>
</message>
<message>
<source>The numbers can be read in two ways: 1.200 is twelve hundred, or 1 and a fraction. Choose how they are written.</source>
<translation>يمكن قراءة الأرقام بطريقتين: 1.200 هو ألف ومئتان، أو 1 وكسر. اختر كيف كُتبت.</translation>
</message>
<message>
<source>The order for {pet}</source>
<translation>طلبية {pet}</translation>
</message>
<message>
<source>The order for {quantity} {pet}</source>
<translation>طلبية {pet} (الكمية {quantity})</translation>
</message>
<message>
<source>The orders</source>
<translation>الطلبيات</translation>
</message>
<message>
<source>The orders are not all on this computer, and all are needed to tell.</source>
<translation>ليست كل الطلبيات على هذا الكمبيوتر، وهي لازمة كلها لمعرفة ذلك.</translation>
</message>
<message>
<source>The other tabs work. If the list has another name, choose it in File &gt; Operations.</source>
<translation>تعمل التبويبات الأخرى. وإذا كان للقائمة اسم آخر، فاخترها في ملف &gt; العمليات.</translation>
</message>
<message>
<source>The outbox is empty</source>
<translation>صندوق الصادر فارغ</translation>
</message>
<message>
<source>The part of the program that talks to the service has ended.</source>
<translation>توقف جزء البرنامج الذي يتواصل مع الخدمة.</translation>
</message>
<message>
<source>The pause could not be saved, the disk may be full: keep the window open until it ends.</source>
<translation>تعذر حفظ الإيقاف المؤقت، وقد يكون القرص ممتلئًا: أبقِ النافذة مفتوحة إلى أن ينتهي.</translation>
</message>
<message>
<source>The pet becomes {status}.</source>
<translation>تصبح حالة الحيوان: {status}.</translation>
</message>
<message>
<source>The pets</source>
<translation>الحيوانات</translation>
</message>
<message>
<source>The pets are not all on this computer, and all are needed to tell.</source>
<translation>ليست كل الحيوانات على هذا الكمبيوتر، وهي لازمة كلها لمعرفة ذلك.</translation>
</message>
<message>
<source>The pets are still being read. Scan {code} again in a moment.</source>
<translation>ما زالت الحيوانات تُقرأ. امسح {code} بالماسح مرة أخرى بعد لحظة.</translation>
</message>
<message>
<source>The profile cannot be followed: {where}: {why}.</source>
<translation>لا يمكن اتباع ملف التعريف: {where}: {why}.</translation>
</message>
<message>
<source>The profile is followed. Ask the service’s provider which is right, and correct the profile if it is not.</source>
<translation>يُتَّبع ملف التعريف. اسأل مزوّد الخدمة أيّهما الصحيح، وصحّح ملف التعريف إن كان خاطئًا.</translation>
</message>
<message>
<source>The profile is in {file}.</source>
<translation>ملف التعريف في {file}.</translation>
</message>
<message>
<source>The profile says so.</source>
<translation>هذا ما يقوله ملف التعريف.</translation>
</message>
<message>
<source>The program could not start.</source>
<translation>تعذر بدء البرنامج.</translation>
</message>
<message>
<source>The program does not follow: neither the request nor the key was sent there.</source>
<translation>لا يتبعها البرنامج: لم يُرسل إلى هناك الطلب ولا المفتاح.</translation>
</message>
<message>
<source>The program does not follow: nothing was sent there.</source>
<translation>لا يتبعه البرنامج: لم يُرسل شيء إلى هناك.</translation>
</message>
<message>
<source>The program needs an id in each record, and the field names of the specification. Ask the service’s provider for such an address, or choose another list in File &gt; Operations.</source>
<translation>يحتاج البرنامج إلى معرّف في كل سجل، وإلى أسماء الحقول الواردة في المواصفات. اطلب عنوانًا كهذا من مزوّد الخدمة، أو اختر قائمة أخرى في ملف &gt; العمليات.</translation>
</message>
<message>
<source>The program obeys every “wait”.</source>
<translation>يلتزم البرنامج بكل «انتظار» تطلبه الخدمة.</translation>
</message>
<message>
<source>The program reads {endpoint}, because of the fields of its answer. Its path does not name what it is, so nothing is changed there unless you choose it.</source>
<translation>يقرأ البرنامج {endpoint} بسبب حقول ردّها. ولا يدل مسارها على ماهيتها، لذا لا يُغيَّر شيء هناك ما لم تخترها.</translation>
</message>
<message>
<source>The program sends one at a time and obeys every “wait”.</source>
<translation>يرسل البرنامج طلبًا واحدًا في كل مرة ويلتزم بكل «انتظار» تطلبه الخدمة.</translation>
</message>
<message>
<source>The program that answers at {host} is not a web service.</source>
<translation>البرنامج الذي يرد لدى {host} ليس خدمة ويب.</translation>
</message>
<message>
<source>The program tries again by itself.</source>
<translation>يعيد البرنامج المحاولة تلقائيًا.</translation>
</message>
<message>
<source>The program uses {endpoint}, because you chose it.</source>
<translation>يستخدم البرنامج {endpoint}، لأنك اخترتها.</translation>
</message>
<message>
<source>The program uses {endpoint}: its path, and what it takes and answers, fit.</source>
<translation>يستخدم البرنامج {endpoint}: فمسارها وما تقبله وما ترد به ملائم.</translation>
</message>
<message>
<source>The proxy that is set on this computer cannot be reached: {proxy}.</source>
<translation>تعذر الوصول إلى الخادم الوكيل المعيّن على هذا الكمبيوتر: {proxy}.</translation>
</message>
<message>
<source>The proxy that is set on this computer cannot be used by the program: {proxy}.</source>
<translation>لا يستطيع البرنامج استخدام الخادم الوكيل المعيّن على هذا الكمبيوتر: {proxy}.</translation>
</message>
<message>
<source>The proxy {proxy} blocks {host}.</source>
<translation>يحجب الخادم الوكيل {proxy} الوصول إلى {host}.</translation>
</message>
<message>
<source>The proxy {proxy} cannot reach {host}.</source>
<translation>لا يستطيع الخادم الوكيل {proxy} الوصول إلى {host}.</translation>
</message>
<message>
<source>The proxy {proxy} did not let the request through to {host}.</source>
<translation>لم يسمح الخادم الوكيل {proxy} بمرور الطلب إلى {host}.</translation>
</message>
<message>
<source>The proxy {proxy} is not trusted: no secure connection to it is possible.</source>
<translation>الخادم الوكيل {proxy} غير موثوق: لا يمكن إنشاء اتصال آمن به.</translation>
</message>
<message>
<source>The proxy {proxy} needs a user name and password, or rejects those that are set.</source>
<translation>يحتاج الخادم الوكيل {proxy} إلى اسم مستخدم وكلمة مرور، أو يرفض المعيّن منها.</translation>
</message>
<message>
<source>The record is there, once. No other one is made before you send one again.</source>
<translation>السجل موجود هناك، مرة واحدة. ولن يُنشأ سجل آخر قبل أن تعيد إرسال سجل.</translation>
</message>
<message>
<source>The record was changed elsewhere in the meantime: {said}.</source>
<translation>تغيّر السجل في مكان آخر في هذه الأثناء: {said}.</translation>
</message>
<message>
<source>The rehearsal opens in a window of its own.</source>
<translation>تُفتح المحاكاة في نافذة مستقلة.</translation>
</message>
<message>
<source>The rehearsal’s shop has stopped</source>
<translation>توقف متجر المحاكاة</translation>
</message>
<message>
<source>The requests that the key allows are used up until {until}. Nothing is sent before.</source>
<translation>استُنفدت الطلبات التي يسمح بها المفتاح حتى {until}. لن يُرسل شيء قبل ذلك.</translation>
</message>
<message>
<source>The rest of today’s requests is kept for you.</source>
<translation>ما تبقى من طلبات اليوم محفوظ لك.</translation>
</message>
<message>
<source>The rest of today’s requests is kept for you: changes go out when the program is open after {time}.</source>
<translation>ما تبقى من طلبات اليوم محفوظ لك: تُرسل التغييرات عندما يكون البرنامج مفتوحًا بعد {time}.</translation>
</message>
<message>
<source>The rest works.</source>
<translation>الباقي يعمل.</translation>
</message>
<message>
<source>The rows have a new order: of {n} selected rows, only the current cell is still selected.</source>
<translation>تغيّر ترتيب الصفوف: كان عدد الصفوف المحددة {n}، ولم تبق محددة إلا الخلية الحالية.</translation>
</message>
<message>
<source>The same</source>
<translation>مطابق</translation>
</message>
<message>
<source>The same number of each</source>
<translation>العدد نفسه من كل حيوان</translation>
</message>
<message>
<source>The same record as in row {row}.</source>
<translation>السجل نفسه كما في الصف {row}.</translation>
</message>
<message>
<source>The second moment can be the present one at most.</source>
<translation>لا يمكن أن تتجاوز اللحظة الثانية اللحظة الحالية.</translation>
</message>
<message>
<source>The service accepted it, to be done later. When the record was last looked at, it was not done yet.</source>
<translation>قبلته الخدمة لتنفيذه لاحقًا. عند آخر اطلاع على السجل لم يكن قد نُفّذ بعد.</translation>
</message>
<message>
<source>The service allows no more in a minute.</source>
<translation>لا تسمح الخدمة بأكثر من ذلك في الدقيقة.</translation>
</message>
<message numerus="yes">
<source>The service allows {n} in a minute.</source>
<translation>
<numerusform>لا تسمح الخدمة بأي طلب في الدقيقة.</numerusform>
<numerusform>تسمح الخدمة بطلب واحد في الدقيقة.</numerusform>
<numerusform>تسمح الخدمة بطلبين في الدقيقة.</numerusform>
<numerusform>تسمح الخدمة في الدقيقة بإرسال {n} طلبات.</numerusform>
<numerusform>تسمح الخدمة في الدقيقة بإرسال {n} طلبًا.</numerusform>
<numerusform>تسمح الخدمة في الدقيقة بإرسال {n} طلب.</numerusform>
</translation>
</message>
<message>
<source>The service also demands {names}; it gets {values}.</source>
<translation>تشترط الخدمة أيضًا {names}؛ وتحصل على {values}.</translation>
</message>
<message>
<source>The service answered with record {id}, which existed before. Check that record: it may be overwritten.</source>
<translation>ردت الخدمة بالسجل {id}، وهو موجود من قبل. تحقق من ذلك السجل: فربما استُبدل محتواه.</translation>
</message>
<message>
<source>The service answered {said}.</source>
<translation>ردت الخدمة: {said}.</translation>
</message>
<message>
<source>The service answers without a key.</source>
<translation>الخدمة ترد من دون مفتاح.</translation>
</message>
<message>
<source>The service asked to wait until {until}, which is unusually long: {message}. Nothing is sent before.</source>
<translation>طلبت الخدمة الانتظار حتى {until}، وهي مدة طويلة على غير المعتاد: {message}. لن يُرسل شيء قبل ذلك.</translation>
</message>
<message>
<source>The service asked to wait until {until}: {message}. Nothing is sent before.</source>
<translation>طلبت الخدمة الانتظار حتى {until}: {message}. لن يُرسل شيء قبل ذلك.</translation>
</message>
<message>
<source>The service asks to wait: {said}.</source>
<translation>تطلب الخدمة الانتظار: {said}.</translation>
</message>
<message>
<source>The service calls it beta: it may change.</source>
<translation>تصفها الخدمة بأنها بيتا: قد تتغير.</translation>
</message>
<message>
<source>The service calls it experimental: it may change or go.</source>
<translation>تصفها الخدمة بأنها تجريبية: قد تتغير أو تُزال.</translation>
</message>
<message>
<source>The service calls this beta: it may change.</source>
<translation>تصف الخدمة هذا بأنه بيتا: قد يتغير.</translation>
</message>
<message>
<source>The service calls this experimental: it may change or go.</source>
<translation>تصف الخدمة هذا بأنه تجريبي: قد يتغير أو يُزال.</translation>
</message>
<message>
<source>The service cannot be reached</source>
<translation>تعذر الوصول إلى الخدمة</translation>
</message>
<message>
<source>The service cannot be reached since {time}.</source>
<translation>تعذر الوصول إلى الخدمة منذ {time}.</translation>
</message>
<message>
<source>The service cannot do this now: {said}.</source>
<translation>لا تستطيع الخدمة فعل هذا الآن: {said}.</translation>
</message>
<message>
<source>The service could not be asked about the new key. It is kept, and tried when the service answers.</source>
<translation>تعذر سؤال الخدمة عن المفتاح الجديد. حُفظ المفتاح، وسيُجرَّب عندما ترد الخدمة.</translation>
</message>
<message>
<source>The service counts more than it shows.</source>
<translation>الخدمة تَعُدّ أكثر مما تعرض.</translation>
</message>
<message>
<source>The service did not find this: the record is gone, or the way to it ({request}), which was to be removed on {day}.</source>
<translation>لم تعثر الخدمة على هذا: فإما أن السجل لم يعد موجودًا، أو أن الطريق إليه ({request}) قد أُزيل، وكان مقررًا أن يُزال في {day}.</translation>
</message>
<message>
<source>The service does not accept the key</source>
<translation>لا تقبل الخدمة المفتاح</translation>
</message>
<message>
<source>The service does not accept the key {key}, which it wants for some operations: {message}.</source>
<translation>لا تقبل الخدمة المفتاح {key} الذي تتطلبه لبعض العمليات: {message}.</translation>
</message>
<message>
<source>The service does not accept the key {key}: {message}.</source>
<translation>لا تقبل الخدمة المفتاح {key}: {message}.</translation>
</message>
<message>
<source>The service does not accept the key {key}: {said}.</source>
<translation>لا تقبل الخدمة المفتاح {key}: {said}.</translation>
</message>
<message>
<source>The service does not accept the key: unsent changes go out once a key works.</source>
<translation>لا تقبل الخدمة المفتاح: تُرسل التغييرات غير المرسلة عندما يصلح مفتاح.</translation>
</message>
<message>
<source>The service does not accept the key: {message}.</source>
<translation>لا تقبل الخدمة المفتاح: {message}.</translation>
</message>
<message>
<source>The service does not accept the key: {said}.</source>
<translation>لا تقبل الخدمة المفتاح: {said}.</translation>
</message>
<message>
<source>The service does not have these lists: {lists}.</source>
<translation>لا توجد لدى الخدمة هذه القوائم: {lists}.</translation>
</message>
<message>
<source>The service does not have this list: {lists}.</source>
<translation>لا توجد لدى الخدمة هذه القائمة: {lists}.</translation>
</message>
<message>
<source>The service does not let this key read anything: {message}.</source>
<translation>لا تسمح الخدمة لهذا المفتاح بقراءة أي شيء: {message}.</translation>
</message>
<message>
<source>The service does not report it: ≈ is this computer’s own count, without other computers.</source>
<translation>لا تُعلن الخدمة ذلك: ≈ هو عدّ هذا الكمبيوتر نفسه، من دون أجهزة أخرى.</translation>
</message>
<message>
<source>The service does not report the day: this is this computer’s own count.</source>
<translation>لا تُعلن الخدمة عدد طلبات اليوم: هذا عدّ هذا الكمبيوتر نفسه.</translation>
</message>
<message>
<source>The service does not say how many requests are left.</source>
<translation>لا تُعلن الخدمة عدد الطلبات المتبقية.</translation>
</message>
<message>
<source>The service does not say how many requests it allows a day.</source>
<translation>لا تذكر الخدمة عدد الطلبات المسموح بها في اليوم.</translation>
</message>
<message>
<source>The service does not say how many requests it allows a minute.</source>
<translation>لا تذكر الخدمة عدد الطلبات المسموح بها في الدقيقة.</translation>
</message>
<message>
<source>The service does not say when there are more.</source>
<translation>لا تذكر الخدمة متى تتوفر طلبات أخرى.</translation>
</message>
<message>
<source>The service does not say which orders are open, and so not which are overdue.</source>
<translation>لا توضح الخدمة أي الطلبيات مفتوحة، ومن ثم أيها متأخرة.</translation>
</message>
<message>
<source>The service does not tell its time.</source>
<translation>لا تُعلن الخدمة وقتها.</translation>
</message>
<message>
<source>The service failed (status {status}): {message}.</source>
<translation>حدث خلل في الخدمة (الحالة {status}): {message}.</translation>
</message>
<message>
<source>The service failed: {said}.</source>
<translation>حدث خلل في الخدمة: {said}.</translation>
</message>
<message>
<source>The service has banned this key for a while: {said}.</source>
<translation>حظرت الخدمة هذا المفتاح لمدة: {said}.</translation>
</message>
<message>
<source>The service has banned this key until {until}: {message}. Nothing is sent before.</source>
<translation>حظرت الخدمة هذا المفتاح حتى {until}: {message}. لن يُرسل شيء قبل ذلك.</translation>
</message>
<message>
<source>The service has no list of categories. The program takes them from the pets at {endpoint}, which costs no request. A category without a pet is not shown.</source>
<translation>ليست لدى الخدمة قائمة فئات. يأخذها البرنامج من الحيوانات في {endpoint}، ولا يكلف ذلك أي طلب. ولا تظهر فئة بلا حيوان.</translation>
</message>
<message>
<source>The service has no such record any more: {said}.</source>
<translation>لم يعد لدى الخدمة سجل كهذا: {said}.</translation>
</message>
<message>
<source>The service has not said how many.</source>
<translation>لم تذكر الخدمة العدد.</translation>
</message>
<message>
<source>The service has removed it.</source>
<translation>أزالتها الخدمة.</translation>
</message>
<message>
<source>The service has removed this ({request}) on {day}.</source>
<translation>أزالت الخدمة هذا ({request}) في {day}.</translation>
</message>
<message>
<source>The service is not at {given}, but at {url}.</source>
<translation>الخدمة ليست في {given}، بل في {url}.</translation>
</message>
<message>
<source>The service is slow</source>
<translation>الخدمة بطيئة</translation>
</message>
<message numerus="yes">
<source>The service is told to delete the orders, not to mark them as cancelled.</source>
<translation>
<numerusform>يُطلب من الخدمة حذف الطلبيات، لا تعليمها كملغاة.</numerusform>
<numerusform>يُطلب من الخدمة حذف الطلبيات، لا تعليمها كملغاة.</numerusform>
<numerusform>يُطلب من الخدمة حذف الطلبيات، لا تعليمها كملغاة.</numerusform>
<numerusform>يُطلب من الخدمة حذف الطلبيات، لا تعليمها كملغاة.</numerusform>
<numerusform>يُطلب من الخدمة حذف الطلبيات، لا تعليمها كملغاة.</numerusform>
<numerusform>يُطلب من الخدمة حذف الطلبيات، لا تعليمها كملغاة.</numerusform>
</translation>
</message>
<message>
<source>The service keeps its records below {scope}, and the address does not say which.</source>
<translation>تحفظ الخدمة سجلاتها تحت {scope}، ولا يحدد العنوان أيها المقصود.</translation>
</message>
<message>
<source>The service may be down: try again later. Or its address has another port.</source>
<translation>قد تكون الخدمة متوقفة: أعد المحاولة لاحقًا. أو قد يكون لعنوانها منفذ آخر.</translation>
</message>
<message numerus="yes">
<source>The service may delete their pets too, with stock and orders, and undo does not bring those back. Pets that stay name a deleted category:</source>
<translation>
<numerusform>قد تحذف الخدمة أيضًا حيواناتها مع مخزونها وطلبياتها، ولا يعيدها التراجع. وما يبقى من الحيوانات سيشير إلى فئة محذوفة:</numerusform>
<numerusform>قد تحذف الخدمة أيضًا حيواناتها مع مخزونها وطلبياتها، ولا يعيدها التراجع. وما يبقى من الحيوانات سيشير إلى فئة محذوفة:</numerusform>
<numerusform>قد تحذف الخدمة أيضًا حيواناتها مع مخزونها وطلبياتها، ولا يعيدها التراجع. وما يبقى من الحيوانات سيشير إلى فئة محذوفة:</numerusform>
<numerusform>قد تحذف الخدمة أيضًا حيواناتها مع مخزونها وطلبياتها، ولا يعيدها التراجع. وما يبقى من الحيوانات سيشير إلى فئة محذوفة:</numerusform>
<numerusform>قد تحذف الخدمة أيضًا حيواناتها مع مخزونها وطلبياتها، ولا يعيدها التراجع. وما يبقى من الحيوانات سيشير إلى فئة محذوفة:</numerusform>
<numerusform>قد تحذف الخدمة أيضًا حيواناتها مع مخزونها وطلبياتها، ولا يعيدها التراجع. وما يبقى من الحيوانات سيشير إلى فئة محذوفة:</numerusform>
</translation>
</message>
<message numerus="yes">
<source>The service may delete their stock and orders too, and undo does not bring those back:</source>
<translation>
<numerusform>قد تحذف الخدمة أيضًا مخزونها وطلبياتها، ولا يعيدها التراجع:</numerusform>
<numerusform>قد تحذف الخدمة أيضًا مخزونه وطلبياته، ولا يعيدها التراجع:</numerusform>
<numerusform>قد تحذف الخدمة أيضًا مخزونها وطلبياتها، ولا يعيدها التراجع:</numerusform>
<numerusform>قد تحذف الخدمة أيضًا مخزونها وطلبياتها، ولا يعيدها التراجع:</numerusform>
<numerusform>قد تحذف الخدمة أيضًا مخزونها وطلبياتها، ولا يعيدها التراجع:</numerusform>
<numerusform>قد تحذف الخدمة أيضًا مخزونها وطلبياتها، ولا يعيدها التراجع:</numerusform>
</translation>
</message>
<message>
<source>The service needs a key</source>
<translation>تحتاج الخدمة إلى مفتاح</translation>
</message>
<message>
<source>The service needs a key.</source>
<translation>تحتاج الخدمة إلى مفتاح.</translation>
</message>
<message>
<source>The service needs a key. Until then you can read and edit the data on this computer.</source>
<translation>تحتاج الخدمة إلى مفتاح. وحتى ذلك الحين يمكنك قراءة البيانات وتحريرها على هذا الكمبيوتر.</translation>
</message>
<message>
<source>The service needs values that its document does not give: {names}.</source>
<translation>تحتاج الخدمة إلى قيم لا يذكرها مستندها: {names}.</translation>
</message>
<message>
<source>The service publishes its OpenAPI document: {named}.</source>
<translation>تنشر الخدمة مستند OpenAPI الخاص بها: {named}.</translation>
</message>
<message>
<source>The service publishes no document: the program’s own is used.</source>
<translation>لا تنشر الخدمة مستندًا: يُستخدم مستند البرنامج نفسه.</translation>
</message>
<message>
<source>The service publishes none. It answers at the standard paths, so the nine standard operations are used.</source>
<translation>لا تنشر الخدمة مستندًا. لكنها ترد في المسارات القياسية، لذا تُستخدم العمليات القياسية التسع.</translation>
</message>
<message>
<source>The service redirects in a circle: from {target} back to the same address.</source>
<translation>تعيد الخدمة التوجيه في حلقة: من {target} إلى العنوان نفسه.</translation>
</message>
<message>
<source>The service redirects to another address: {target}.</source>
<translation>تعيد الخدمة التوجيه إلى عنوان آخر: {target}.</translation>
</message>
<message>
<source>The service redirects to {target}. The program does not follow, so that the key goes nowhere else.</source>
<translation>تعيد الخدمة التوجيه إلى {target}. لا يتبعها البرنامج، كي لا يذهب المفتاح إلى مكان آخر.</translation>
</message>
<message>
<source>The service redirects, but does not say where to.</source>
<translation>تعيد الخدمة التوجيه، لكنها لا تذكر إلى أين.</translation>
</message>
<message>
<source>The service refused this: {said}.</source>
<translation>رفضت الخدمة هذا: {said}.</translation>
</message>
<message>
<source>The service refuses everything now and then</source>
<translation>ترفض الخدمة كل شيء بين حين وآخر</translation>
</message>
<message>
<source>The service refuses the request (status {status}): {message}.</source>
<translation>رفضت الخدمة الطلب (الحالة {status}): {message}.</translation>
</message>
<message>
<source>The service said no, and the stock is as with your {booked} all the same. Either it was done, or somebody else booked the same.</source>
<translation>رفضت الخدمة، ومع ذلك فالمخزون كما يكون بعد ترحيلك {booked}. إما أنه نُفِّذ، وإما أن شخصًا آخر رحّل الكمية نفسها.</translation>
</message>
<message>
<source>The service says “wait”. The program counts down and goes on by itself; you keep working.</source>
<translation>تقول الخدمة «انتظر». يعد البرنامج تنازليًا ويتابع وحده، وتواصل أنت العمل.</translation>
</message>
<message>
<source>The service sent an empty answer instead of data.</source>
<translation>أرسلت الخدمة ردًا فارغًا بدلًا من البيانات.</translation>
</message>
<message numerus="yes">
<source>The service sent {n} records that this program cannot read; they are safe there.</source>
<translation>
<numerusform>لم ترسل الخدمة سجلات لا يستطيع البرنامج قراءتها.</numerusform>
<numerusform>أرسلت الخدمة سجلًا واحدًا لا يستطيع هذا البرنامج قراءته؛ وهو آمن هناك.</numerusform>
<numerusform>أرسلت الخدمة سجلين لا يستطيع هذا البرنامج قراءتهما؛ وهما آمنان هناك.</numerusform>
<numerusform>أرسلت الخدمة {n} سجلات لا يستطيع هذا البرنامج قراءتها؛ وهي آمنة هناك.</numerusform>
<numerusform>أرسلت الخدمة {n} سجلًا لا يستطيع هذا البرنامج قراءتها؛ وهي آمنة هناك.</numerusform>
<numerusform>أرسلت الخدمة {n} سجل لا يستطيع هذا البرنامج قراءتها؛ وهي آمنة هناك.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>The service shows at most {n} in one answer. The others are not here.</source>
<translation>
<numerusform>تعرض الخدمة {n} على الأكثر في الإجابة الواحدة. الباقي ليس هنا.</numerusform>
<numerusform>تعرض الخدمة {n} على الأكثر في الإجابة الواحدة. الباقي ليس هنا.</numerusform>
<numerusform>تعرض الخدمة {n} على الأكثر في الإجابة الواحدة. الباقي ليس هنا.</numerusform>
<numerusform>تعرض الخدمة {n} على الأكثر في الإجابة الواحدة. الباقي ليس هنا.</numerusform>
<numerusform>تعرض الخدمة {n} على الأكثر في الإجابة الواحدة. الباقي ليس هنا.</numerusform>
<numerusform>تعرض الخدمة {n} على الأكثر في الإجابة الواحدة. الباقي ليس هنا.</numerusform>
</translation>
</message>
<message>
<source>The service states its limits in a form that cannot be used: {header}.</source>
<translation>تُعلن الخدمة حدودها بصيغة لا يمكن استخدامها: {header}.</translation>
</message>
<message>
<source>The service takes no requests for {left}</source>
<translation>الخدمة لا تقبل الطلبات: مدة الانتظار {left}</translation>
</message>
<message>
<source>The service takes requests only so quickly, or has just failed.</source>
<translation>لا تقبل الخدمة الطلبات إلا بهذه السرعة، أو أنها تعطلت للتو.</translation>
</message>
<message>
<source>The service takes the key.</source>
<translation>الخدمة تقبل المفتاح.</translation>
</message>
<message>
<source>The service took the request, but did not answer in time.</source>
<translation>تلقت الخدمة الطلب، لكنها لم ترد في الوقت المحدد.</translation>
</message>
<message>
<source>The service wants another key too: {key}.</source>
<translation>تتطلب الخدمة مفتاحًا آخر أيضًا: {key}.</translation>
</message>
<message>
<source>The service wants several keys. Put each where it belongs.</source>
<translation>تتطلب الخدمة عدة مفاتيح. ضع كلًا منها في موضعه.</translation>
</message>
<message>
<source>The service will withdraw it.</source>
<translation>ستسحبها الخدمة.</translation>
</message>
<message>
<source>The service withdraws it after {day}.</source>
<translation>تسحبها الخدمة بعد {day}.</translation>
</message>
<message>
<source>The service’s OpenAPI document cannot be used.</source>
<translation>لا يمكن استخدام مستند OpenAPI الخاص بالخدمة.</translation>
</message>
<message>
<source>The service’s answer did not show that it was done. The program looks, and sends nothing twice.</source>
<translation>لم يُظهر رد الخدمة أن ذلك تم. يتحقق البرنامج من ذلك، ولا يرسل شيئًا مرتين.</translation>
</message>
<message>
<source>The service’s clock and this computer’s agree.</source>
<translation>ساعة الخدمة وساعة هذا الكمبيوتر متطابقتان.</translation>
</message>
<message>
<source>The service’s clock is {ahead}</source>
<translation>ساعة الخدمة {ahead}</translation>
</message>
<message>
<source>The service’s clock is {length} {way} this computer’s.</source>
<translation>ساعة الخدمة {way} ساعة هذا الكمبيوتر ({length}).</translation>
</message>
<message>
<source>The service’s document has no operation for this.</source>
<translation>ليست في مستند الخدمة عملية لهذا.</translation>
</message>
<message>
<source>The service’s own document differs from the profile that this connection follows: {differences}.</source>
<translation>يختلف مستند الخدمة عن ملف التعريف الذي يتبعه هذا الاتصال: {differences}.</translation>
</message>
<message>
<source>The service’s provider must turn on TLS 1.2 or later.</source>
<translation>على مزوّد الخدمة تفعيل TLS 1.2 أو أحدث.</translation>
</message>
<message>
<source>The shop has not been read since {time}.</source>
<translation>لم يُقرأ المتجر منذ {time}.</translation>
</message>
<message>
<source>The shop reopens with the new settings. Unsent changes are kept.</source>
<translation>يُعاد فتح المتجر بالإعدادات الجديدة. وتبقى التغييرات غير المرسلة محفوظة.</translation>
</message>
<message>
<source>The status of a stock entry is set by the service.</source>
<translation>الخدمة هي التي تعيّن حالة قيد المخزون.</translation>
</message>
<message>
<source>The stock</source>
<translation>المخزون</translation>
</message>
<message>
<source>The stock at the end of these days is not known.</source>
<translation>المخزون في نهاية هذه الأيام غير معروف.</translation>
</message>
<message>
<source>The stock is not all on this computer, and all of it is needed to tell.</source>
<translation>ليس كل المخزون على هذا الكمبيوتر، وهو لازم كله لمعرفة ذلك.</translation>
</message>
<message>
<source>The stock of new pets is left out.</source>
<translation>استُبعد مخزون الحيوانات الجديدة.</translation>
</message>
<message>
<source>The stock of this pet has not been read.</source>
<translation>لم يُقرأ مخزون هذا الحيوان.</translation>
</message>
<message>
<source>The stock of {name} is no longer there</source>
<translation>لم يعد مخزون {name} موجودًا</translation>
</message>
<message numerus="yes">
<source>The stock of {n} new pets is left out.</source>
<translation>
<numerusform>لم يُستبعد مخزون أي حيوان جديد.</numerusform>
<numerusform>استُبعد مخزون حيوان جديد واحد.</numerusform>
<numerusform>استُبعد مخزون حيوانين جديدين.</numerusform>
<numerusform>استُبعد مخزون {n} حيوانات جديدة.</numerusform>
<numerusform>استُبعد مخزون {n} حيوانًا جديدًا.</numerusform>
<numerusform>استُبعد مخزون {n} حيوان جديد.</numerusform>
</translation>
</message>
<message>
<source>The texts of all licences, what each is for, where the source of Qt is and how it is replaced: {folder}</source>
<translation>نصوص جميع الرخص، وما تشمله كل منها، ومكان الشيفرة المصدرية لـ Qt وكيفية استبدالها: {folder}</translation>
</message>
<message>
<source>The view {name} is deleted</source>
<translation>تم حذف طريقة العرض {name}</translation>
</message>
<message>
<source>The wait is over: a test request checks whether sending may resume</source>
<translation>انتهى الانتظار: يتحقق طلب اختبار من إمكان استئناف الإرسال</translation>
</message>
<message>
<source>The&amp;n by this, descending</source>
<translation>ثم &amp;حسب هذا العمود، تنازليًا</translation>
</message>
<message>
<source>Theirs</source>
<translation>قيمتهم</translation>
</message>
<message>
<source>Theirs may include it already. Keep mine adds it to theirs.</source>
<translation>قد تشمله قيمتهم بالفعل. «الاحتفاظ بقيمتي» يضيفه إلى قيمتهم.</translation>
</message>
<message>
<source>Theme</source>
<translation>السمة</translation>
</message>
<message>
<source>Then</source>
<translation>سابقًا</translation>
</message>
<message>
<source>Then print labels</source>
<translation>ثم طباعة الملصقات</translation>
</message>
<message>
<source>Then → Now</source>
<translation>سابقًا ← الآن</translation>
</message>
<message>
<source>There are no categories; the pets get none.</source>
<translation>لا توجد فئات؛ تبقى الحيوانات بلا فئة.</translation>
</message>
<message>
<source>There are no labels to print.</source>
<translation>لا توجد ملصقات للطباعة.</translation>
</message>
<message>
<source>There is a document, but {url} has none of the paths that it names.</source>
<translation>يوجد مستند، لكن لا يوجد في {url} أي من المسارات التي يذكرها.</translation>
</message>
<message>
<source>There is no category #{id}.</source>
<translation>لا توجد فئة بالمعرّف #{id}.</translation>
</message>
<message>
<source>There is no category {id} at the service</source>
<translation>لا توجد الفئة {id} لدى الخدمة</translation>
</message>
<message>
<source>There is no category {name}.</source>
<translation>لا توجد الفئة {name}.</translation>
</message>
<message>
<source>There is no column with ids: every row is a new record.</source>
<translation>لا يوجد عمود للمعرّفات: كل صف سجل جديد.</translation>
</message>
<message>
<source>There is no computer called {host}.</source>
<translation>لا يوجد كمبيوتر باسم {host}.</translation>
</message>
<message>
<source>There is no connection yet. {command} makes one.</source>
<translation>لا يوجد اتصال بعد. ينشئ {command} اتصالًا.</translation>
</message>
<message>
<source>There is no history yet</source>
<translation>لا محفوظات بعد</translation>
</message>
<message>
<source>There is no history yet: what was before is not known.</source>
<translation>لا محفوظات بعد: ما كان من قبل غير معروف.</translation>
</message>
<message>
<source>There is no key for this connection, so nothing else was checked.</source>
<translation>لا يوجد مفتاح لهذا الاتصال، لذا لم يُفحص شيء آخر.</translation>
</message>
<message>
<source>There is no key yet, so nothing is sent (File &gt; Change key).</source>
<translation>لا مفتاح بعد، لذا لا يُرسل شيء (ملف &gt; تغيير المفتاح).</translation>
</message>
<message>
<source>There is no order {id} at the service</source>
<translation>لا توجد الطلبية {id} لدى الخدمة</translation>
</message>
<message>
<source>There is no pet #{id}.</source>
<translation>لا يوجد حيوان بالمعرّف #{id}.</translation>
</message>
<message>
<source>There is no pet {id} at the service</source>
<translation>لا يوجد الحيوان {id} لدى الخدمة</translation>
</message>
<message>
<source>There is no pet {name}.</source>
<translation>لا يوجد الحيوان {name}.</translation>
</message>
<message>
<source>There is no record #{id}. Leave the id empty for a new one.</source>
<translation>لا يوجد سجل بالمعرّف #{id}. اترك المعرّف فارغًا لسجل جديد.</translation>
</message>
<message>
<source>There is no stock entry for this pet.</source>
<translation>لا يوجد قيد مخزون لهذا الحيوان.</translation>
</message>
<message>
<source>There is no stock of pet {id} at the service</source>
<translation>لا يوجد مخزون الحيوان {id} لدى الخدمة</translation>
</message>
<message>
<source>There is no stock.</source>
<translation>لا يوجد مخزون.</translation>
</message>
<message>
<source>There is no such category.</source>
<translation>لا توجد فئة كهذه.</translation>
</message>
<message>
<source>There is no such file: {file}.</source>
<translation>هذا الملف غير موجود: {file}.</translation>
</message>
<message>
<source>There is no such folder: {file}.</source>
<translation>لا يوجد مجلد كهذا: {file}.</translation>
</message>
<message>
<source>There is no such pet.</source>
<translation>لا يوجد حيوان كهذا.</translation>
</message>
<message>
<source>There is no such status.</source>
<translation>لا توجد حالة كهذه.</translation>
</message>
<message>
<source>There is no view in the file</source>
<translation>لا توجد طريقة عرض في الملف</translation>
</message>
<message>
<source>There is no view with the key {key}.</source>
<translation>لا توجد طريقة عرض للاختصار {key}.</translation>
</message>
<message>
<source>There is none yet; this one is added with the pets.</source>
<translation>لا توجد فئة بعد؛ تُضاف هذه مع الحيوانات.</translation>
</message>
<message>
<source>There is nothing left of it to redo</source>
<translation>لم يبق منه شيء تمكن إعادته</translation>
</message>
<message>
<source>There is nothing left of it to undo</source>
<translation>لم يبق منه شيء للتراجع عنه</translation>
</message>
<message>
<source>There is nothing left to correct here.</source>
<translation>لم يبق هنا شيء لتصحيحه.</translation>
</message>
<message>
<source>There is nothing to go back to.</source>
<translation>لا شيء للرجوع إليه.</translation>
</message>
<message>
<source>There is nothing to go forward to.</source>
<translation>لا شيء للتقدم إليه.</translation>
</message>
<message>
<source>There is nothing to keep: no change was made that went well.</source>
<translation>لا شيء للاحتفاظ به: لم يُجرَ تغيير ناجح.</translation>
</message>
<message>
<source>There is nothing to redo.</source>
<translation>لا شيء لإعادته.</translation>
</message>
<message>
<source>There is nothing to undo.</source>
<translation>لا شيء للتراجع عنه.</translation>
</message>
<message>
<source>There is stock for all open orders</source>
<translation>المخزون يكفي كل الطلبيات المفتوحة</translation>
</message>
<message>
<source>These lists cannot be read: {lists}.</source>
<translation>لا يمكن قراءة هذه القوائم: {lists}.</translation>
</message>
<message>
<source>They are in the list, as the service has them. Nothing is deleted again by itself.</source>
<translation>إنها في القائمة كما هي لدى الخدمة. لا يُحذف شيء مرة أخرى من تلقاء نفسه.</translation>
</message>
<message>
<source>They are kept, and are not sent to this service.</source>
<translation>وهي محفوظة، ولا تُرسل إلى هذه الخدمة.</translation>
</message>
<message numerus="yes">
<source>They go out at the next start ({minutes}).</source>
<translation>
<numerusform>تُرسل عند التشغيل التالي ({minutes}).</numerusform>
<numerusform>يُرسل عند التشغيل التالي ({minutes}).</numerusform>
<numerusform>يُرسلان عند التشغيل التالي ({minutes}).</numerusform>
<numerusform>تُرسل عند التشغيل التالي ({minutes}).</numerusform>
<numerusform>تُرسل عند التشغيل التالي ({minutes}).</numerusform>
<numerusform>تُرسل عند التشغيل التالي ({minutes}).</numerusform>
</translation>
</message>
<message numerus="yes">
<source>They go out at the next start.</source>
<translation>
<numerusform>تُرسل عند التشغيل التالي.</numerusform>
<numerusform>يُرسل عند التشغيل التالي.</numerusform>
<numerusform>يُرسلان عند التشغيل التالي.</numerusform>
<numerusform>تُرسل عند التشغيل التالي.</numerusform>
<numerusform>تُرسل عند التشغيل التالي.</numerusform>
<numerusform>تُرسل عند التشغيل التالي.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>They go out once you have entered the key again: this computer has no keyring that keeps it.</source>
<translation>
<numerusform>تُرسل بعد أن تدخل المفتاح مرة أخرى: لا توجد على هذا الكمبيوتر سلسلة مفاتيح تحفظه.</numerusform>
<numerusform>تُرسل بعد أن تدخل المفتاح مرة أخرى: لا توجد على هذا الكمبيوتر سلسلة مفاتيح تحفظه.</numerusform>
<numerusform>تُرسل بعد أن تدخل المفتاح مرة أخرى: لا توجد على هذا الكمبيوتر سلسلة مفاتيح تحفظه.</numerusform>
<numerusform>تُرسل بعد أن تدخل المفتاح مرة أخرى: لا توجد على هذا الكمبيوتر سلسلة مفاتيح تحفظه.</numerusform>
<numerusform>تُرسل بعد أن تدخل المفتاح مرة أخرى: لا توجد على هذا الكمبيوتر سلسلة مفاتيح تحفظه.</numerusform>
<numerusform>تُرسل بعد أن تدخل المفتاح مرة أخرى: لا توجد على هذا الكمبيوتر سلسلة مفاتيح تحفظه.</numerusform>
</translation>
</message>
<message>
<source>This address belongs to another server than the service’s own.</source>
<translation>هذا العنوان تابع لخادم غير خادم الخدمة.</translation>
</message>
<message>
<source>This cannot be checked now</source>
<translation>لا يمكن فحص هذا الآن</translation>
</message>
<message>
<source>This cannot be edited.</source>
<translation>لا يمكن تحرير هذا.</translation>
</message>
<message>
<source>This cannot be understood.</source>
<translation>تعذر فهم هذا.</translation>
</message>
<message>
<source>This cannot be understood: {text}</source>
<translation>تعذر فهم هذا: {text}</translation>
</message>
<message>
<source>This cannot be undone.</source>
<translation>لا يمكن التراجع عن هذا.</translation>
</message>
<message>
<source>This code cannot be remembered yet</source>
<translation>لا يمكن حفظ هذا الرمز بعد</translation>
</message>
<message>
<source>This computer first read the whole shop on {time}; nothing is known from before.</source>
<translation>قرأ هذا الكمبيوتر المتجر كاملًا أول مرة: {time}؛ ولا يُعرف شيء عما قبل ذلك.</translation>
</message>
<message>
<source>This computer has no keyring that can store a key.</source>
<translation>لا توجد على هذا الكمبيوتر سلسلة مفاتيح يمكنها حفظ مفتاح.</translation>
</message>
<message>
<source>This computer has no keyring that keeps secrets, so there is no key; only the document was asked for.</source>
<translation>لا توجد على هذا الكمبيوتر سلسلة مفاتيح تحفظ الأسرار، لذا لا يوجد مفتاح؛ لم يُطلب سوى المستند.</translation>
</message>
<message>
<source>This computer has no printer. Save a PDF instead.</source>
<translation>لا توجد طابعة لدى هذا الكمبيوتر. احفظ ملف PDF بدلًا من ذلك.</translation>
</message>
<message numerus="yes">
<source>This computer sent about {n} of them, other programs with the same key the rest.</source>
<translation>
<numerusform>أرسل هذا الكمبيوتر نحو {n} منها، وأرسلت الباقي برامج أخرى بالمفتاح نفسه.</numerusform>
<numerusform>أرسل هذا الكمبيوتر نحو {n} منها، وأرسلت الباقي برامج أخرى بالمفتاح نفسه.</numerusform>
<numerusform>أرسل هذا الكمبيوتر نحو {n} منها، وأرسلت الباقي برامج أخرى بالمفتاح نفسه.</numerusform>
<numerusform>أرسل هذا الكمبيوتر نحو {n} منها، وأرسلت الباقي برامج أخرى بالمفتاح نفسه.</numerusform>
<numerusform>أرسل هذا الكمبيوتر نحو {n} منها، وأرسلت الباقي برامج أخرى بالمفتاح نفسه.</numerusform>
<numerusform>أرسل هذا الكمبيوتر نحو {n} منها، وأرسلت الباقي برامج أخرى بالمفتاح نفسه.</numerusform>
</translation>
</message>
<message>
<source>This computer trusts the certificate.</source>
<translation>هذا الكمبيوتر يثق بالشهادة.</translation>
</message>
<message>
<source>This computer’s keyring refused the request.</source>
<translation>رفضت سلسلة مفاتيح هذا الكمبيوتر الطلب.</translation>
</message>
<message>
<source>This computer’s time; the service’s clock is {ahead}.</source>
<translation>بتوقيت هذا الكمبيوتر؛ وساعة الخدمة {ahead}.</translation>
</message>
<message>
<source>This connection is read-only (File &gt; Connection settings).</source>
<translation>هذا الاتصال للقراءة فقط (ملف &gt; إعدادات الاتصال).</translation>
</message>
<message>
<source>This could not be checked.</source>
<translation>تعذر فحص هذا.</translation>
</message>
<message>
<source>This count is closed. Begin a new one to count.</source>
<translation>هذا الجرد مغلق. ابدأ جردًا جديدًا للعدّ.</translation>
</message>
<message>
<source>This date can be read in two ways.</source>
<translation>يمكن قراءة هذا التاريخ بطريقتين.</translation>
</message>
<message>
<source>This date cannot be read. The service wrote: {raw}</source>
<translation>لا يمكن قراءة هذا التاريخ. كتبت الخدمة: {raw}</translation>
</message>
<message>
<source>This day is still to come.</source>
<translation>هذا اليوم لم يأتِ بعد.</translation>
</message>
<message>
<source>This file is empty.</source>
<translation>هذا الملف فارغ.</translation>
</message>
<message>
<source>This file is too large. Nothing was imported. Split it, and import the parts.</source>
<translation>هذا الملف كبير جدًا. لم يُستورد شيء. قسّمه واستورد الأجزاء.</translation>
</message>
<message>
<source>This is a PDF, not a table.</source>
<translation>هذا ملف PDF وليس جدولًا.</translation>
</message>
<message>
<source>This is a compressed file. Unpack it, and import the table in it.</source>
<translation>هذا ملف مضغوط. فك ضغطه، واستورد الجدول الموجود فيه.</translation>
</message>
<message>
<source>This is a database, not a table.</source>
<translation>هذه قاعدة بيانات وليست جدولًا.</translation>
</message>
<message>
<source>This is a picture, not a table.</source>
<translation>هذه صورة وليست جدولًا.</translation>
</message>
<message>
<source>This is a program, not a table.</source>
<translation>هذا برنامج وليس جدولًا.</translation>
</message>
<message>
<source>This is before the first day.</source>
<translation>هذا قبل اليوم الأول.</translation>
</message>
<message>
<source>This is being deleted.</source>
<translation>يجري حذف هذا.</translation>
</message>
<message>
<source>This is being sent and cannot be discarded now. What became of it is shown shortly.</source>
<translation>هذا قيد الإرسال ولا يمكن تجاهله الآن. وستظهر نتيجته قريبًا.</translation>
</message>
<message>
<source>This is less than the limit per minute. Please check.</source>
<translation>هذا أقل من الحد في الدقيقة. يُرجى التحقق.</translation>
</message>
<message>
<source>This is not a complete file of bar codes: {file}.</source>
<translation>هذا ليس ملف رموز شريطية كاملًا: {file}.</translation>
</message>
<message>
<source>This is not a complete file of views: {file}.</source>
<translation>هذا ليس ملف طرق عرض كاملًا: {file}.</translation>
</message>
<message>
<source>This is not a text file, so it has no table to read.</source>
<translation>هذا ليس ملفًا نصيًا، فلا جدول فيه يمكن قراءته.</translation>
</message>
<message>
<source>This is not an OpenAPI document.</source>
<translation>هذا ليس مستند OpenAPI.</translation>
</message>
<message>
<source>This is not an OpenAPI document: it does not say which version of OpenAPI it follows.</source>
<translation>هذا ليس مستند OpenAPI: فهو لا يذكر إصدار OpenAPI الذي يتبعه.</translation>
</message>
<message>
<source>This is not an id.</source>
<translation>هذا ليس معرّفًا.</translation>
</message>
<message>
<source>This is not sent yet: there is nothing to ask the service for.</source>
<translation>لم يُرسل هذا بعد: لا شيء يمكن سؤال الخدمة عنه.</translation>
</message>
<message>
<source>This is not the address of a service.</source>
<translation>هذا ليس عنوان خدمة.</translation>
</message>
<message>
<source>This is not the address of a service. Nothing was sent.</source>
<translation>هذا ليس عنوان خدمة. لم يُرسل شيء.</translation>
</message>
<message>
<source>This is not the address of a service; one begins with https://.</source>
<translation>هذا ليس عنوان خدمة؛ فعنوان الخدمة يبدأ بـ https://‎.</translation>
</message>
<message>
<source>This is unusually long: ask the service’s provider. The program waits.</source>
<translation>هذه مدة طويلة على غير المعتاد: اسأل مزوّد الخدمة. والبرنامج ينتظر.</translation>
</message>
<message>
<source>This is worked out. Enter the minimum and “Order up to” in the columns before it.</source>
<translation>تُحسب هذه القيمة. اكتب الحد الأدنى وحدّ الطلب في العمودين قبلها.</translation>
</message>
<message>
<source>This key contains characters that cannot be sent. Copy it again.</source>
<translation>يحتوي هذا المفتاح على أحرف لا يمكن إرسالها. انسخه مرة أخرى.</translation>
</message>
<message>
<source>This key is banned already; another request may make the ban longer.</source>
<translation>هذا المفتاح محظور بالفعل؛ وقد يطيل طلب آخر مدة الحظر.</translation>
</message>
<message>
<source>This key is banned for a while. Another key for the same service waits as long.</source>
<translation>هذا المفتاح محظور لمدة. وأي مفتاح آخر للخدمة نفسها ينتظر المدة ذاتها.</translation>
</message>
<message>
<source>This key is banned: nothing is sent before {time} (in {left})</source>
<translation>هذا المفتاح محظور: لا يُرسل شيء قبل {time} (مدة الانتظار {left})</translation>
</message>
<message>
<source>This key is longer than 16,384 characters, which no service takes. Copy it again.</source>
<translation>هذا المفتاح أطول من 16384 حرفًا، ولا تقبل أي خدمة ذلك. انسخه مرة أخرى.</translation>
</message>
<message>
<source>This key may not do this: {said}.</source>
<translation>لا يُسمح لهذا المفتاح بذلك: {said}.</translation>
</message>
<message>
<source>This list cannot be read: {lists}.</source>
<translation>لا يمكن قراءة هذه القائمة: {lists}.</translation>
</message>
<message>
<source>This may be the address of a website: ask for the address of the API. Or the network wants you to sign in first: open the address in a browser.</source>
<translation>قد يكون هذا عنوان موقع ويب: اطلب عنوان API. أو ربما تطلب منك الشبكة تسجيل الدخول أولًا: افتح العنوان في متصفح.</translation>
</message>
<message>
<source>This minute’s requests are used up: it goes on in {left}</source>
<translation>استُنفدت طلبات هذه الدقيقة: الاستئناف بعد {left}</translation>
</message>
<message>
<source>This month</source>
<translation>هذا الشهر</translation>
</message>
<message>
<source>This number can be read in two ways.</source>
<translation>يمكن قراءة هذا الرقم بطريقتين.</translation>
</message>
<message>
<source>This number is too large for the service.</source>
<translation>هذا العدد أكبر مما تقبله الخدمة.</translation>
</message>
<message>
<source>This number is too large.</source>
<translation>هذا العدد كبير جدًا.</translation>
</message>
<message>
<source>This order</source>
<translation>هذه الطلبية</translation>
</message>
<message>
<source>This order has no id: it can only be read.</source>
<translation>ليس لهذه الطلبية معرّف: لا يمكن إلا قراءتها.</translation>
</message>
<message>
<source>This order is complete already.</source>
<translation>هذه الطلبية مكتملة بالفعل.</translation>
</message>
<message>
<source>This pet is {status}.</source>
<translation>حالة هذا الحيوان: {status}.</translation>
</message>
<message>
<source>This record is gone.</source>
<translation>لم يعد هذا السجل موجودًا.</translation>
</message>
<message>
<source>This removes its key from the keyring and its data from this computer: the copy of its lists, the history, your views and minimum stock.</source>
<translation>يحذف هذا مفتاحه من سلسلة المفاتيح وبياناته من هذا الكمبيوتر: نسخة قوائمه ومحفوظاته وطرق عرضك والحد الأدنى للمخزون.</translation>
</message>
<message>
<source>This replaces the view {name}.</source>
<translation>يستبدل هذا طريقة العرض {name}.</translation>
</message>
<message>
<source>This service does not delete them: once sent, this cannot be undone.</source>
<translation>لا تحذف هذه الخدمة ما يُضاف: بعد الإرسال لا يمكن التراجع.</translation>
</message>
<message>
<source>This service does not offer that.</source>
<translation>هذا غير متاح لدى هذه الخدمة.</translation>
</message>
<message>
<source>This service signs people in elsewhere. Paste an access token.</source>
<translation>تسجيل الدخول إلى هذه الخدمة يتم في مكان آخر. الصق رمز وصول.</translation>
</message>
<message>
<source>This shop has no categories yet</source>
<translation>لا فئات في هذا المتجر بعد</translation>
</message>
<message>
<source>This shop has no orders</source>
<translation>لا طلبيات في هذا المتجر</translation>
</message>
<message>
<source>This shop has no pets yet</source>
<translation>لا حيوانات في هذا المتجر بعد</translation>
</message>
<message>
<source>This shop has no stock entries</source>
<translation>لا قيود مخزون في هذا المتجر</translation>
</message>
<message>
<source>This shop has not been read yet: what is in it is not known.</source>
<translation>لم يُقرأ هذا المتجر بعد: محتواه غير معروف.</translation>
</message>
<message>
<source>This shop is empty. Add its first pet under Pets.</source>
<translation>هذا المتجر فارغ. أضف أول حيوان فيه ضمن «الحيوانات».</translation>
</message>
<message>
<source>This takes more than half of the requests that are left for today.</source>
<translation>يستهلك هذا أكثر من نصف الطلبات المتبقية لليوم.</translation>
</message>
<message>
<source>This text can be read in several ways.</source>
<translation>يمكن قراءة هذا النص بعدة طرق.</translation>
</message>
<message>
<source>This value cannot be sent.</source>
<translation>لا يمكن إرسال هذه القيمة.</translation>
</message>
<message>
<source>This week</source>
<translation>هذا الأسبوع</translation>
</message>
<message>
<source>This workbook cannot be read. Save it as XLSX or CSV, and import that.</source>
<translation>لا يمكن قراءة هذا المصنف. احفظه بصيغة XLSX أو CSV، واستورد ذلك الملف.</translation>
</message>
<message>
<source>This workbook is old or has a password. Save it as XLSX or CSV, and import that.</source>
<translation>هذا المصنف قديم أو محمي بكلمة مرور. احفظه بصيغة XLSX أو CSV، واستورد ذلك الملف.</translation>
</message>
<message>
<source>Throw away</source>
<translation>إهمال</translation>
</message>
<message>
<source>Throw them away</source>
<translation>إهمالها</translation>
</message>
<message>
<source>Time</source>
<translation>الوقت</translation>
</message>
<message>
<source>Times are this computer’s; the service’s clock is {ahead}.</source>
<translation>الأوقات بتوقيت هذا الكمبيوتر؛ وساعة الخدمة {ahead}.</translation>
</message>
<message>
<source>To</source>
<translation>إلى</translation>
</message>
<message>
<source>To change</source>
<translation>للتغيير</translation>
</message>
<message>
<source>To come</source>
<translation>القادمة</translation>
</message>
<message>
<source>To count</source>
<translation>للعدّ</translation>
</message>
<message>
<source>To order</source>
<translation>كمية الطلب</translation>
</message>
<message>
<source>To report it, copy the details. Then continue.</source>
<translation>للإبلاغ عنه، انسخ التفاصيل. ثم تابع.</translation>
</message>
<message>
<source>To send them, connect to that address again.</source>
<translation>لإرسالها، اتصل بذلك العنوان من جديد.</translation>
</message>
<message>
<source>To set one, select pets, stock or categories, then choose Shop &gt; Minimum stock.</source>
<translation>لتعيين حد، حدد حيوانات أو مخزونًا أو فئات، ثم اختر المتجر &gt; الحد الأدنى للمخزون.</translation>
</message>
<message>
<source>Today</source>
<translation>اليوم</translation>
</message>
<message numerus="yes">
<source>Today’s requests are not enough for this. The rest is saved on this computer, and goes out by itself on the next {n} days.</source>
<translation>
<numerusform>لا تكفي طلبات اليوم لهذا. ويُحفظ الباقي على هذا الكمبيوتر، ويُرسل تلقائيًا بعد ذلك.</numerusform>
<numerusform>لا تكفي طلبات اليوم لهذا. ويُحفظ الباقي على هذا الكمبيوتر، ويُرسل تلقائيًا في اليوم التالي.</numerusform>
<numerusform>لا تكفي طلبات اليوم لهذا. ويُحفظ الباقي على هذا الكمبيوتر، ويُرسل تلقائيًا في اليومين التاليين.</numerusform>
<numerusform>لا تكفي طلبات اليوم لهذا. ويُحفظ الباقي على هذا الكمبيوتر، ويُرسل تلقائيًا خلال {n} أيام تالية.</numerusform>
<numerusform>لا تكفي طلبات اليوم لهذا. ويُحفظ الباقي على هذا الكمبيوتر، ويُرسل تلقائيًا خلال {n} يومًا تاليًا.</numerusform>
<numerusform>لا تكفي طلبات اليوم لهذا. ويُحفظ الباقي على هذا الكمبيوتر، ويُرسل تلقائيًا خلال {n} يوم تالٍ.</numerusform>
</translation>
</message>
<message>
<source>Today’s requests are used up</source>
<translation>استُنفدت طلبات اليوم</translation>
</message>
<message>
<source>Today’s requests are used up: changes go out when the program is open after {time}.</source>
<translation>استُنفدت طلبات اليوم: تُرسل التغييرات عندما يكون البرنامج مفتوحًا ابتداءً من {time}.</translation>
</message>
<message numerus="yes">
<source>Today’s {n} requests are used up</source>
<translation>
<numerusform>استُنفدت طلبات اليوم</numerusform>
<numerusform>استُنفد طلب اليوم الوحيد</numerusform>
<numerusform>استُنفد طلبا اليوم</numerusform>
<numerusform>استُنفدت طلبات اليوم ({n})</numerusform>
<numerusform>استُنفدت طلبات اليوم ({n})</numerusform>
<numerusform>استُنفدت طلبات اليوم ({n})</numerusform>
</translation>
</message>
<message>
<source>Tomorrow</source>
<translation>غدًا</translation>
</message>
<message>
<source>Too large.</source>
<translation>كبير جدًا.</translation>
</message>
<message>
<source>Too small.</source>
<translation>صغير جدًا.</translation>
</message>
<message>
<source>Took</source>
<translation>المدة</translation>
</message>
<message>
<source>Took, s</source>
<translation>المدة (ث)</translation>
</message>
<message>
<source>Treat scans as typing</source>
<translation>معاملة المسح ككتابة</translation>
</message>
<message>
<source>Try again</source>
<translation>إعادة المحاولة</translation>
</message>
<message>
<source>Try again later.</source>
<translation>أعد المحاولة لاحقًا.</translation>
</message>
<message>
<source>Try again later. If it keeps failing, ask the service’s provider.</source>
<translation>أعد المحاولة لاحقًا. وإذا تكرر الفشل، فاسأل مزوّد الخدمة.</translation>
</message>
<message>
<source>Try again later. If it keeps failing, tell the service’s provider.</source>
<translation>أعد المحاولة لاحقًا. وإذا تكرر الخلل، فأبلغ مزوّد الخدمة.</translation>
</message>
<message>
<source>Try again, or see the server response.</source>
<translation>أعد المحاولة، أو اطّلع على رد الخادم.</translation>
</message>
<message>
<source>Try again.</source>
<translation>أعد المحاولة.</translation>
</message>
<message>
<source>Try again. If it fails again, ask the service’s provider.</source>
<translation>أعد المحاولة. وإذا فشلت مرة أخرى، فاسأل مزوّد الخدمة.</translation>
</message>
<message>
<source>Try again. If it fails again, check the network and the address.</source>
<translation>أعد المحاولة. وإذا فشلت مرة أخرى، فتحقق من الشبكة والعنوان.</translation>
</message>
<message>
<source>Try again. If it happens often, check the network or the proxy.</source>
<translation>أعد المحاولة. وإذا تكرر ذلك كثيرًا، فتحقق من الشبكة أو الخادم الوكيل.</translation>
</message>
<message>
<source>Try the demo shop</source>
<translation>تجربة المتجر التجريبي</translation>
</message>
<message>
<source>Type +12 into a stock, and Enter: saved on this computer first, then sent, once.</source>
<translation>اكتب +12 في مخزون ثم Enter: يُحفظ أولًا على هذا الكمبيوتر ثم يُرسل مرة واحدة.</translation>
</message>
<message>
<source>Type a name or an id</source>
<translation>اكتب اسمًا أو معرّفًا</translation>
</message>
<message>
<source>Type a pet’s name or id.</source>
<translation>اكتب اسم حيوان أو معرّفه.</translation>
</message>
<message>
<source>Type in a cell to replace its value; +12 adds, =40 sets.</source>
<translation>اكتب في خلية لاستبدال قيمتها؛ ‎+12 يضيف، و‎=40 يعيّن.</translation>
</message>
<message>
<source>Type it in the column Minimum, or select categories and choose Shop &gt; Minimum stock.</source>
<translation>اكتبه في عمود الحد الأدنى، أو حدد فئات ثم اختر المتجر &gt; الحد الأدنى للمخزون.</translation>
</message>
<message>
<source>UTF-16, other byte order</source>
<translation>ترتيب البايتات الآخر (UTF-16)</translation>
</message>
<message>
<source>Unconfirmed</source>
<translation>غير مؤكد</translation>
</message>
<message>
<source>Undo</source>
<translation>تراجع</translation>
</message>
<message>
<source>Undo these changes</source>
<translation>التراجع عن هذه التغييرات</translation>
</message>
<message>
<source>Undo what was before</source>
<translation>التراجع عما قبله</translation>
</message>
<message>
<source>Undo: {what}</source>
<translation>تراجع: {what}</translation>
</message>
<message>
<source>Undone {time}, never sent.</source>
<translation>تم التراجع عنه ({time})، ولم يُرسل قط.</translation>
</message>
<message>
<source>Undone {time}.</source>
<translation>تم التراجع عنه ({time}).</translation>
</message>
<message>
<source>Undone {time}; the service had refused it.</source>
<translation>تم التراجع عنه ({time})؛ وكانت الخدمة قد رفضته.</translation>
</message>
<message>
<source>Undone: {what}</source>
<translation>تم التراجع: {what}</translation>
</message>
<message>
<source>Unexpected error: {name}.</source>
<translation>خطأ غير متوقع: {name}.</translation>
</message>
<message>
<source>Unfr&amp;eeze columns</source>
<translation>إل&amp;غاء تجميد الأعمدة</translation>
</message>
<message>
<source>Unknown code</source>
<translation>رمز غير معروف</translation>
</message>
<message>
<source>Unknown code {code}</source>
<translation>الرمز غير المعروف {code}</translation>
</message>
<message>
<source>Unknown code {code}: kept under Unknown codes</source>
<translation>الرمز غير المعروف {code}: محفوظ ضمن الرموز غير المعروفة</translation>
</message>
<message>
<source>Unknown codes</source>
<translation>الرموز غير المعروفة</translation>
</message>
<message>
<source>Unlock it, then enter the key again.</source>
<translation>افتح قفلها، ثم أدخل المفتاح مرة أخرى.</translation>
</message>
<message>
<source>Unlock or set up the keyring, then enter the key again.</source>
<translation>افتح قفل سلسلة المفاتيح أو أعدّها، ثم أدخل المفتاح مرة أخرى.</translation>
</message>
<message>
<source>Unlock the keyring, then check again.</source>
<translation>افتح قفل سلسلة المفاتيح، ثم أعد الفحص.</translation>
</message>
<message>
<source>Unsent</source>
<translation>غير المرسلة</translation>
</message>
<message>
<source>Unsent categories</source>
<translation>فئات غير مرسلة</translation>
</message>
<message>
<source>Unsent changes are discarded; the records show the service’s values again.</source>
<translation>يتم تجاهل التغييرات غير المرسلة؛ وتُظهر السجلات قيم الخدمة مرة أخرى.</translation>
</message>
<message>
<source>Unsent changes stay here until you turn this off.</source>
<translation>تبقى التغييرات غير المرسلة هنا إلى أن توقف هذا الخيار.</translation>
</message>
<message>
<source>Unsent orders</source>
<translation>طلبيات غير مرسلة</translation>
</message>
<message>
<source>Unsent stock</source>
<translation>مخزون غير مرسل</translation>
</message>
<message>
<source>Unusually large: please check</source>
<translation>كبير على غير المعتاد: يُرجى التحقق</translation>
</message>
<message>
<source>Up and Down change the part under the caret, Alt+Down opens a calendar</source>
<translation>يغيّر السهمان لأعلى ولأسفل الجزء الذي عنده المؤشر، ويفتح Alt+السهم لأسفل تقويمًا</translation>
</message>
<message>
<source>Use QR codes</source>
<translation>استخدام رموز QR</translation>
</message>
<message>
<source>Use an address that begins with https://. Plain http works only on this computer.</source>
<translation>استخدم عنوانًا يبدأ بـ https://‎. لا يعمل http غير المشفّر إلا على هذا الكمبيوتر.</translation>
</message>
<message>
<source>Use for this</source>
<translation>الاستخدام لهذا</translation>
</message>
<message>
<source>Use for “{what}”</source>
<translation>الاستخدام لـ «{what}»</translation>
</message>
<message>
<source>Use that window, or close it.</source>
<translation>استخدم تلك النافذة، أو أغلقها.</translation>
</message>
<message>
<source>Use this key</source>
<translation>استخدام هذا المفتاح</translation>
</message>
<message>
<source>Use this size</source>
<translation>استخدام هذا المقاس</translation>
</message>
<message>
<source>Use {address}</source>
<translation>استخدام {address}</translation>
</message>
<message>
<source>Use {url}.</source>
<translation>استخدم {url}.</translation>
</message>
<message>
<source>Used in the last 24 hours</source>
<translation>المستهلك في آخر 24 ساعة</translation>
</message>
<message>
<source>Used since {time}</source>
<translation>المستهلك منذ {time}</translation>
</message>
<message>
<source>Used today</source>
<translation>المستهلك اليوم</translation>
</message>
<message>
<source>Used up</source>
<translation>استُنفدت</translation>
</message>
<message>
<source>Used up at about {time} at this pace</source>
<translation>بهذه الوتيرة تُستنفد نحو {time}</translation>
</message>
<message>
<source>Used up. Full again at {time}.</source>
<translation>استُنفدت. تكتمل من جديد: {time}.</translation>
</message>
<message>
<source>Values that the service needs and that are not known: {names}. Enter them in the connection’s settings.</source>
<translation>قيم تحتاج إليها الخدمة وهي غير معروفة: {names}. أدخلها في إعدادات الاتصال.</translation>
</message>
<message>
<source>Variances</source>
<translation>الفروقات</translation>
</message>
<message>
<source>Version {version}</source>
<translation>الإصدار {version}</translation>
</message>
<message>
<source>Version {version} is available</source>
<translation>الإصدار {version} متوفر</translation>
</message>
<message>
<source>Vie&amp;ws</source>
<translation>&amp;طرق العرض</translation>
</message>
<message>
<source>View {n} of the file</source>
<translation>طريقة العرض {n} في الملف</translation>
</message>
<message>
<source>View {n} of the file, {name}</source>
<translation>طريقة العرض {n} في الملف، {name}</translation>
</message>
<message>
<source>View · {list}</source>
<translation>طريقة عرض · {list}</translation>
</message>
<message>
<source>Views (*.json)</source>
<translation>طرق العرض (*.json)</translation>
</message>
<message>
<source>Views of this list</source>
<translation>طرق عرض هذه القائمة</translation>
</message>
<message>
<source>Violet</source>
<translation>بنفسجي</translation>
</message>
<message>
<source>Wait until the ban ends. Check whether another program still sends with this key.</source>
<translation>انتظر حتى ينتهي الحظر. وتحقق هل ما زال برنامج آخر يرسل بهذا المفتاح.</translation>
</message>
<message>
<source>Wait, then check again.</source>
<translation>انتظر، ثم أعد الفحص.</translation>
</message>
<message>
<source>Wait: it goes on by itself. If it happens again, ask the service’s provider.</source>
<translation>انتظر: سيُستأنف تلقائيًا. وإذا تكرر ذلك، فاسأل مزوّد الخدمة.</translation>
</message>
<message>
<source>Wait: sending now would make the ban longer.</source>
<translation>انتظر: الإرسال الآن يطيل مدة الحظر.</translation>
</message>
<message>
<source>Waited</source>
<translation>الانتظار</translation>
</message>
<message>
<source>Waited, s</source>
<translation>الانتظار (ث)</translation>
</message>
<message>
<source>Waiting</source>
<translation>في الانتظار</translation>
</message>
<message>
<source>Waiting: {wait}.</source>
<translation>انتظار: {wait}.</translation>
</message>
<message>
<source>Waits for its turn, until {time}.</source>
<translation>ينتظر دوره حتى {time}.</translation>
</message>
<message>
<source>Waits for its turn.</source>
<translation>ينتظر دوره.</translation>
</message>
<message>
<source>Waits for the minute’s requests, until {time}.</source>
<translation>ينتظر طلبات الدقيقة التالية حتى {time}.</translation>
</message>
<message>
<source>Waits for the minute’s requests.</source>
<translation>ينتظر طلبات الدقيقة التالية.</translation>
</message>
<message>
<source>Waits for the next day’s requests, until {time}.</source>
<translation>ينتظر طلبات اليوم التالي حتى {time}.</translation>
</message>
<message>
<source>Waits for the next day’s requests.</source>
<translation>ينتظر طلبات اليوم التالي.</translation>
</message>
<message>
<source>Weekly report: &amp;last week…</source>
<translation>التقرير الأسبوعي: الأسبوع ال&amp;ماضي…</translation>
</message>
<message>
<source>Weekly report: &amp;this week…</source>
<translation>التقرير الأسبوعي: &amp;هذا الأسبوع…</translation>
</message>
<message>
<source>What</source>
<translation>البند</translation>
</message>
<message>
<source>What came in</source>
<translation>ما وصل</translation>
</message>
<message>
<source>What changed</source>
<translation>ما الذي تغيّر</translation>
</message>
<message>
<source>What changed in these days is not known.</source>
<translation>ما تغيّر في هذه الأيام غير معروف.</translation>
</message>
<message numerus="yes">
<source>What changed in {lists} is not known: these lists have not been read whole.</source>
<translation>
<numerusform>ما تغيّر في {lists} غير معروف: هذه القوائم لم تُقرأ كاملة.</numerusform>
<numerusform>ما تغيّر في {lists} غير معروف: هذه القائمة لم تُقرأ كاملة.</numerusform>
<numerusform>ما تغيّر في {lists} غير معروف: هاتان القائمتان لم تُقرآ كاملتين.</numerusform>
<numerusform>ما تغيّر في {lists} غير معروف: هذه القوائم لم تُقرأ كاملة.</numerusform>
<numerusform>ما تغيّر في {lists} غير معروف: هذه القوائم لم تُقرأ كاملة.</numerusform>
<numerusform>ما تغيّر في {lists} غير معروف: هذه القوائم لم تُقرأ كاملة.</numerusform>
</translation>
</message>
<message>
<source>What changed is known since {time}, when the history on this computer begins.</source>
<translation>ما تغيّر معروف منذ {time}، حين تبدأ المحفوظات على هذا الكمبيوتر.</translation>
</message>
<message>
<source>What changed since {time} is not known.</source>
<translation>ما تغيّر منذ {time} غير معروف.</translation>
</message>
<message>
<source>What changes while you are away is listed here.</source>
<translation>يُدرج هنا ما يتغير في غيابك.</translation>
</message>
<message>
<source>What is shown</source>
<translation>ما يُعرض</translation>
</message>
<message>
<source>What to count</source>
<translation>ما الذي يُجرد</translation>
</message>
<message>
<source>What was sent is in the shop. Changes that were still waiting are not sent by themselves.</source>
<translation>ما أُرسل موجود في المتجر. أما التغييرات التي كانت لا تزال تنتظر فلن تُرسل تلقائيًا.</translation>
</message>
<message>
<source>What was sent is in the shop. Changes that were still waiting, if any, are lost with the file.</source>
<translation>ما أُرسل موجود في المتجر. أما التغييرات التي كانت لا تزال تنتظر، إن وُجدت، فقد ضاعت مع الملف.</translation>
</message>
<message numerus="yes">
<source>What was sent is in the shop. {n} changes that were still waiting are not sent by themselves; they are listed in {list}.</source>
<translation>
<numerusform>ما أُرسل موجود في المتجر. ولم تكن هناك تغييرات تنتظر؛ انظر {list}.</numerusform>
<numerusform>ما أُرسل موجود في المتجر. وتغيير واحد كان لا يزال ينتظر لن يُرسل تلقائيًا؛ وهو مدرج في {list}.</numerusform>
<numerusform>ما أُرسل موجود في المتجر. وتغييران كانا لا يزالان ينتظران لن يُرسلا تلقائيًا؛ وهما مدرجان في {list}.</numerusform>
<numerusform>ما أُرسل موجود في المتجر. و{n} تغييرات كانت لا تزال تنتظر لن تُرسل تلقائيًا؛ وهي مدرجة في {list}.</numerusform>
<numerusform>ما أُرسل موجود في المتجر. و{n} تغييرًا كانت لا تزال تنتظر لن تُرسل تلقائيًا؛ وهي مدرجة في {list}.</numerusform>
<numerusform>ما أُرسل موجود في المتجر. و{n} تغيير كانت لا تزال تنتظر لن تُرسل تلقائيًا؛ وهي مدرجة في {list}.</numerusform>
</translation>
</message>
<message>
<source>What will change</source>
<translation>ما الذي سيتغير</translation>
</message>
<message>
<source>What you add here is saved at once and sent to the service.</source>
<translation>ما تضيفه هنا يُحفظ فورًا ويُرسل إلى الخدمة.</translation>
</message>
<message>
<source>What you did here is thrown away. Nothing of it has reached the shop.</source>
<translation>سيُهمل كل ما فعلته هنا. ولم يصل منه شيء إلى المتجر.</translation>
</message>
<message>
<source>What you saved is safe.</source>
<translation>ما حفظته في أمان.</translation>
</message>
<message>
<source>What you saved is safe. This report stays on this computer; it holds no key and no record.</source>
<translation>ما حفظته في أمان. يبقى هذا التقرير على هذا الكمبيوتر، ولا يحتوي على أي مفتاح أو سجل.</translation>
</message>
<message>
<source>What you typed will be lost.</source>
<translation>سيُفقد ما كتبته.</translation>
</message>
<message>
<source>What {shop} offers is not known yet.</source>
<translation>لا يُعرف بعد ما هو متاح لدى {shop}.</translation>
</message>
<message>
<source>Which id of an entry a change of stock means ({name}, or the entry’s own) is found out by reading, before the first one; where the service does not tell, stock is only read.</source>
<translation>يُعرف أي معرّف يقصده تغيير المخزون ({name} أم معرّف الإدخال نفسه) بالقراءة قبل أول تغيير؛ وإن لم توضح الخدمة ذلك، فالمخزون يُقرأ فقط.</translation>
</message>
<message>
<source>Which orders are overdue is not known.</source>
<translation>لا يُعرف أي الطلبيات متأخرة.</translation>
</message>
<message>
<source>Which pet is {code}?</source>
<translation>لأي حيوان الرمز {code}؟</translation>
</message>
<message>
<source>Which pet is {code}? Type its id or name, then press Enter.</source>
<translation>لأي حيوان الرمز {code}؟ اكتب معرّفه أو اسمه، ثم اضغط Enter.</translation>
</message>
<message>
<source>Which pet?</source>
<translation>أي حيوان؟</translation>
</message>
<message>
<source>Which stock is low is not known.</source>
<translation>لا يُعرف أي مخزون منخفض.</translation>
</message>
<message>
<source>Who</source>
<translation>المصدر</translation>
</message>
<message>
<source>Windows, Arabic (1256)</source>
<translation>العربية (Windows 1256)</translation>
</message>
<message>
<source>Windows, Baltic (1257)</source>
<translation>البلطيقية (Windows 1257)</translation>
</message>
<message>
<source>Windows, Central Europe (1250)</source>
<translation>أوروبا الوسطى (Windows 1250)</translation>
</message>
<message>
<source>Windows, Cyrillic (1251)</source>
<translation>السيريلية (Windows 1251)</translation>
</message>
<message>
<source>Windows, Greek (1253)</source>
<translation>اليونانية (Windows 1253)</translation>
</message>
<message>
<source>Windows, Hebrew (1255)</source>
<translation>العبرية (Windows 1255)</translation>
</message>
<message>
<source>Windows, Thai (874)</source>
<translation>التايلاندية (Windows 874)</translation>
</message>
<message>
<source>Windows, Turkish (1254)</source>
<translation>التركية (Windows 1254)</translation>
</message>
<message>
<source>Windows, Western (1252)</source>
<translation>أوروبا الغربية (Windows 1252)</translation>
</message>
<message>
<source>With plain http, others on the way to {host} could read the key. Nothing was sent.</source>
<translation>مع http غير المشفّر قد يقرأ آخرون على الطريق إلى {host} المفتاح. لم يُرسل شيء.</translation>
</message>
<message>
<source>Without</source>
<translation>من دون</translation>
</message>
<message>
<source>Without a category</source>
<translation>بلا فئة</translation>
</message>
<message>
<source>Without a ship date</source>
<translation>بلا تاريخ شحن</translation>
</message>
<message>
<source>Without a time zone, shown as it is. The service wrote: {raw}</source>
<translation>من دون منطقة زمنية، معروض كما هو. كتبت الخدمة: {raw}</translation>
</message>
<message>
<source>Worth a look</source>
<translation>يستحق نظرة</translation>
</message>
<message>
<source>Write names with dots between them, such as category.id.</source>
<translation>اكتب الأسماء تفصل بينها نقاط، مثل category.id.</translation>
</message>
<message>
<source>Wrong</source>
<translation>خاطئ</translation>
</message>
<message>
<source>Year-Month-Day</source>
<translation>سنة-شهر-يوم</translation>
</message>
<message>
<source>Yesterday</source>
<translation>أمس</translation>
</message>
<message>
<source>You already have all bar codes of the file</source>
<translation>لديك بالفعل كل الرموز الشريطية الموجودة في الملف</translation>
</message>
<message>
<source>You already have all views of the file</source>
<translation>لديك بالفعل كل طرق العرض الموجودة في الملف</translation>
</message>
<message>
<source>You can read and edit everything on this computer.</source>
<translation>يمكنك قراءة كل شيء وتحريره على هذا الكمبيوتر.</translation>
</message>
<message>
<source>You can set a minimum once the service has given it an id</source>
<translation>يمكنك تعيين حد أدنى بعد أن تمنحه الخدمة معرّفًا</translation>
</message>
<message>
<source>You can undo it here, even weeks later.</source>
<translation>يمكنك التراجع عنه هنا، ولو بعد أسابيع.</translation>
</message>
<message>
<source>You chose {endpoint}, which the document no longer has or which cannot be used.</source>
<translation>اخترت {endpoint}، ولم تعد في المستند أو لا يمكن استخدامها.</translation>
</message>
<message numerus="yes">
<source>You corrected {n} cells.</source>
<translation>
<numerusform>لم تصحّح أي خلية.</numerusform>
<numerusform>صحّحت خلية واحدة.</numerusform>
<numerusform>صحّحت خليتين.</numerusform>
<numerusform>صحّحت {n} خلايا.</numerusform>
<numerusform>صحّحت {n} خلية.</numerusform>
<numerusform>صحّحت {n} خلية.</numerusform>
</translation>
</message>
<message>
<source>You don’t need to do anything.</source>
<translation>لا يلزمك فعل شيء.</translation>
</message>
<message>
<source>You have not been away yet.</source>
<translation>لم تغادر بعد.</translation>
</message>
<message>
<source>You, {time}</source>
<translation>أنت، {time}</translation>
</message>
<message>
<source>Your bar codes are unchanged.</source>
<translation>لم تتغير رموزك الشريطية.</translation>
</message>
<message>
<source>Your changes and all other data are safe. The readable part of it is still used.</source>
<translation>تغييراتك وكل البيانات الأخرى آمنة. وما زال الجزء المقروء منه مستخدمًا.</translation>
</message>
<message>
<source>Your changes and all other data are safe; only that list starts again.</source>
<translation>تغييراتك وكل البيانات الأخرى آمنة؛ هذه القائمة وحدها تبدأ من جديد.</translation>
</message>
<message>
<source>Your changes and all other data are safe; only the history starts again.</source>
<translation>تغييراتك وكل البيانات الأخرى آمنة؛ المحفوظات وحدها تبدأ من جديد.</translation>
</message>
<message>
<source>Your changes are kept in a network folder: {file}.</source>
<translation>تُحفظ تغييراتك في مجلد على الشبكة: {file}.</translation>
</message>
<message>
<source>Your changes are safe, and all else goes on. What changes meanwhile is recorded with less exact times.</source>
<translation>تغييراتك آمنة، وكل ما عداها مستمر. وما يتغير في هذه الأثناء يُسجَّل بأوقات أقل دقة.</translation>
</message>
<message>
<source>Your changes are safe, and sending goes on; only the list of requests will have gaps.</source>
<translation>تغييراتك آمنة، والإرسال مستمر؛ غير أن قائمة الطلبات ستكون ناقصة.</translation>
</message>
<message>
<source>Your changes are safe. Before anything else is sent, one test request checks for a pause.</source>
<translation>تغييراتك آمنة. قبل إرسال أي شيء آخر، يتحقق طلب اختبار واحد من وجود إيقاف مؤقت.</translation>
</message>
<message>
<source>Your changes are safe; its data is read from the service again.</source>
<translation>تغييراتك آمنة؛ وتُقرأ بياناته من الخدمة مرة أخرى.</translation>
</message>
<message>
<source>Your changes are saved on this computer and go out by themselves {when}.</source>
<translation>تغييراتك محفوظة على هذا الكمبيوتر وتُرسل تلقائيًا {when}.</translation>
</message>
<message>
<source>Your changes are saved on this computer.</source>
<translation>تغييراتك محفوظة على هذا الكمبيوتر.</translation>
</message>
<message>
<source>Your changes are saved on this computer; nothing is sent until a key works.</source>
<translation>تغييراتك محفوظة على هذا الكمبيوتر؛ ولا يُرسل شيء حتى يصلح مفتاح.</translation>
</message>
<message>
<source>Your changes are saved on this computer; what needs this key is not sent until one works.</source>
<translation>تغييراتك محفوظة على هذا الكمبيوتر؛ ولا يُرسل ما يحتاج إلى هذا المفتاح حتى يصلح مفتاح.</translation>
</message>
<message>
<source>Your changes are saved on this computer; what needs this key is not sent until then.</source>
<translation>تغييراتك محفوظة على هذا الكمبيوتر؛ ولا يُرسل ما يحتاج إلى هذا المفتاح حتى ذلك الحين.</translation>
</message>
<message>
<source>Your data on this computer is kept.</source>
<translation>بياناتك على هذا الكمبيوتر محفوظة.</translation>
</message>
<message>
<source>Your draft of {time} is filled in.</source>
<translation>أُدرجت مسودتك ({time}).</translation>
</message>
<message numerus="yes">
<source>Your plan allows {n} in a minute, and this computer has sent as many.</source>
<translation>
<numerusform>لا تسمح باقتك بأي طلب في الدقيقة.</numerusform>
<numerusform>تسمح باقتك بطلب واحد في الدقيقة، وقد أرسله هذا الكمبيوتر.</numerusform>
<numerusform>تسمح باقتك بطلبين في الدقيقة، وقد أرسلهما هذا الكمبيوتر.</numerusform>
<numerusform>تسمح باقتك في الدقيقة بإرسال {n} طلبات، وقد أرسلها هذا الكمبيوتر كلها.</numerusform>
<numerusform>تسمح باقتك في الدقيقة بإرسال {n} طلبًا، وقد أرسلها هذا الكمبيوتر كلها.</numerusform>
<numerusform>تسمح باقتك في الدقيقة بإرسال {n} طلب، وقد أرسلها هذا الكمبيوتر كلها.</numerusform>
</translation>
</message>
<message>
<source>Your shops</source>
<translation>متاجرك</translation>
</message>
<message>
<source>Your shop’s name, or a greeting</source>
<translation>اسم متجرك، أو عبارة ترحيب</translation>
</message>
<message>
<source>Your shop’s pets, stock and orders, online and offline.</source>
<translation>حيوانات متجرك ومخزونه وطلبياته، باتصال أو دون اتصال.</translation>
</message>
<message>
<source>Your views are unchanged.</source>
<translation>لم تتغير طرق عرضك.</translation>
</message>
<message numerus="yes">
<source>Your {n} changes are saved on this computer and go out afterwards.</source>
<translation>
<numerusform>لا تغييرات تنتظر.</numerusform>
<numerusform>تغييرك محفوظ على هذا الكمبيوتر ويُرسل بعد ذلك.</numerusform>
<numerusform>تغييراك محفوظان على هذا الكمبيوتر ويُرسلان بعد ذلك.</numerusform>
<numerusform>تغييراتك ({n}) محفوظة على هذا الكمبيوتر وتُرسل بعد ذلك.</numerusform>
<numerusform>تغييراتك ({n}) محفوظة على هذا الكمبيوتر وتُرسل بعد ذلك.</numerusform>
<numerusform>تغييراتك ({n}) محفوظة على هذا الكمبيوتر وتُرسل بعد ذلك.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>Your {n} changes are saved on this computer; they go out by themselves {when}.</source>
<translation>
<numerusform>لا تغييرات تنتظر {when}.</numerusform>
<numerusform>تغييرك محفوظ على هذا الكمبيوتر؛ ويُرسل تلقائيًا {when}.</numerusform>
<numerusform>تغييراك محفوظان على هذا الكمبيوتر؛ ويُرسلان تلقائيًا {when}.</numerusform>
<numerusform>تغييراتك ({n}) محفوظة على هذا الكمبيوتر؛ وتُرسل تلقائيًا {when}.</numerusform>
<numerusform>تغييراتك ({n}) محفوظة على هذا الكمبيوتر؛ وتُرسل تلقائيًا {when}.</numerusform>
<numerusform>تغييراتك ({n}) محفوظة على هذا الكمبيوتر؛ وتُرسل تلقائيًا {when}.</numerusform>
</translation>
</message>
<message>
<source>Yours of {acted}; changed elsewhere, seen {seen}.</source>
<translation>تغييرك: {acted}؛ تغيّر في مكان آخر، ورُصد: {seen}.</translation>
</message>
<message>
<source>a cache answered for the service, so that a change by somebody else could have been overwritten. Sent again, it rests on what was last seen</source>
<translation>أجابت ذاكرة تخزين مؤقت بدلًا من الخدمة، وكان يمكن أن يُستبدل تغيير من شخص آخر. وإذا أُعيد إرساله فسيستند إلى آخر ما رُصد</translation>
</message>
<message>
<source>a cell holds at most {most} signs, and a text is longer; nothing was written: use csv or json</source>
<translation>لا تتسع الخلية لأكثر من {most} حرفًا، وهناك نص أطول؛ لم يُكتب شيء: استخدم csv أو json</translation>
</message>
<message>
<source>a connection needs a name</source>
<translation>يحتاج الاتصال إلى اسم</translation>
</message>
<message>
<source>a day such as {day}, or a word such as today</source>
<translation>يومًا مثل {day}، ولا كلمة مثل «اليوم»</translation>
</message>
<message>
<source>a deleted order stays deleted</source>
<translation>تبقى الطلبية المحذوفة محذوفة</translation>
</message>
<message>
<source>a file in the format {format} is nothing for a terminal; say where it is to go with --out FILE</source>
<translation>الملف بصيغة {format} لا يُعرض في الطرفية؛ حدّد مكانه بالخيار --out FILE</translation>
</message>
<message>
<source>a guess, read only</source>
<translation>تخمين، للقراءة فقط</translation>
</message>
<message>
<source>a later day</source>
<translation>يوم لاحق</translation>
</message>
<message>
<source>a moment</source>
<translation>لحظة</translation>
</message>
<message>
<source>a number from 1 to 1,000,000</source>
<translation>عدد من 1 إلى 1000000</translation>
</message>
<message>
<source>a number such as 5, &gt;10 or 10..20</source>
<translation>رقمًا مثل 5 أو ‎&gt;10 أو ‎10..20</translation>
</message>
<message>
<source>a sheet holds at most {most} rows; nothing was written: use the format csv or json</source>
<translation>لا تتسع الورقة لأكثر من {most} صفًا؛ لم يُكتب شيء: استخدم الصيغة csv أو json</translation>
</message>
<message>
<source>a test request checks whether sending may resume</source>
<translation>يتحقق طلب اختبار من إمكان استئناف الإرسال</translation>
</message>
<message>
<source>a web page came back instead of data.</source>
<translation>وصلت صفحة ويب بدلًا من البيانات.</translation>
</message>
<message>
<source>a web page, such as a login page, answered instead of the service, and nothing was changed</source>
<translation>ردت صفحة ويب، مثل صفحة تسجيل دخول، بدلًا من الخدمة، ولم يتغير شيء</translation>
</message>
<message numerus="yes">
<source>about {n} days</source>
<translation>
<numerusform>أقل من يوم</numerusform>
<numerusform>نحو يوم</numerusform>
<numerusform>نحو يومين</numerusform>
<numerusform>نحو {n} أيام</numerusform>
<numerusform>نحو {n} يومًا</numerusform>
<numerusform>نحو {n} يوم</numerusform>
</translation>
</message>
<message numerus="yes">
<source>about {n} days left</source>
<translation>
<numerusform>يكفي أقل من يوم</numerusform>
<numerusform>يكفي نحو يوم</numerusform>
<numerusform>يكفي نحو يومين</numerusform>
<numerusform>يكفي نحو {n} أيام</numerusform>
<numerusform>يكفي نحو {n} يومًا</numerusform>
<numerusform>يكفي نحو {n} يوم</numerusform>
</translation>
</message>
<message numerus="yes">
<source>about {n} h</source>
<translation>
<numerusform>نحو {n} س</numerusform>
<numerusform>نحو {n} س</numerusform>
<numerusform>نحو {n} س</numerusform>
<numerusform>نحو {n} س</numerusform>
<numerusform>نحو {n} س</numerusform>
<numerusform>نحو {n} س</numerusform>
</translation>
</message>
<message numerus="yes">
<source>about {n} min</source>
<translation>
<numerusform>نحو {n} د</numerusform>
<numerusform>نحو {n} د</numerusform>
<numerusform>نحو {n} د</numerusform>
<numerusform>نحو {n} د</numerusform>
<numerusform>نحو {n} د</numerusform>
<numerusform>نحو {n} د</numerusform>
</translation>
</message>
<message numerus="yes">
<source>about {n} requests</source>
<translation>
<numerusform>لا طلبات</numerusform>
<numerusform>نحو طلب واحد</numerusform>
<numerusform>نحو طلبين</numerusform>
<numerusform>نحو {n} طلبات</numerusform>
<numerusform>نحو {n} طلبًا</numerusform>
<numerusform>نحو {n} طلب</numerusform>
</translation>
</message>
<message numerus="yes">
<source>about {n} s</source>
<translation>
<numerusform>حوالي {n} ث</numerusform>
<numerusform>حوالي {n} ث</numerusform>
<numerusform>حوالي {n} ث</numerusform>
<numerusform>حوالي {n} ث</numerusform>
<numerusform>حوالي {n} ث</numerusform>
<numerusform>حوالي {n} ث</numerusform>
</translation>
</message>
<message>
<source>add create animal</source>
<translation>إضافة إنشاء حيوان</translation>
</message>
<message>
<source>add create group</source>
<translation>إضافة إنشاء مجموعة تصنيف</translation>
</message>
<message>
<source>add create sell sale place phone call customer</source>
<translation>إضافة إنشاء بيع طلب هاتف مكالمة زبون عميل</translation>
</message>
<message>
<source>after {time} (in {left})</source>
<translation>ابتداءً من {time} (مدة الانتظار {left})</translation>
</message>
<message>
<source>again repeat</source>
<translation>مرة أخرى تكرار</translation>
</message>
<message>
<source>ahead of</source>
<translation>متقدمة على</translation>
</message>
<message>
<source>ambiguous option: {words} could match {names}</source>
<translation>خيار ملتبس: {words} قد يكون {names}</translation>
</message>
<message>
<source>an authority</source>
<translation>جهة إصدار</translation>
</message>
<message>
<source>an empty list</source>
<translation>قائمة فارغة</translation>
</message>
<message>
<source>an empty object</source>
<translation>كائن فارغ</translation>
</message>
<message>
<source>an empty text</source>
<translation>نص فارغ</translation>
</message>
<message>
<source>an unknown time</source>
<translation>وقت غير معروف</translation>
</message>
<message numerus="yes">
<source>and {n} more</source>
<translation>
<numerusform>و{n} غيرها</numerusform>
<numerusform>وواحدة غيرها</numerusform>
<numerusform>واثنتان غيرها</numerusform>
<numerusform>و{n} غيرها</numerusform>
<numerusform>و{n} غيرها</numerusform>
<numerusform>و{n} غيرها</numerusform>
</translation>
</message>
<message numerus="yes">
<source>and {n} more categories</source>
<translation>
<numerusform>ولا فئات أخرى</numerusform>
<numerusform>وفئة أخرى</numerusform>
<numerusform>وفئتان أخريان</numerusform>
<numerusform>و{n} فئات أخرى</numerusform>
<numerusform>و{n} فئة أخرى</numerusform>
<numerusform>و{n} فئة أخرى</numerusform>
</translation>
</message>
<message>
<source>another address</source>
<translation>عنوان آخر</translation>
</message>
<message>
<source>another connection is called {name}; choose another name</source>
<translation>هناك اتصال آخر باسم {name}؛ اختر اسمًا آخر</translation>
</message>
<message>
<source>another name</source>
<translation>اسم آخر</translation>
</message>
<message>
<source>another one</source>
<translation>اسم آخر</translation>
</message>
<message>
<source>answered</source>
<translation>تم الرد</translation>
</message>
<message>
<source>anything about categories</source>
<translation>كل ما يخص الفئات</translation>
</message>
<message>
<source>anything about orders</source>
<translation>كل ما يخص الطلبيات</translation>
</message>
<message>
<source>anything about pets</source>
<translation>كل ما يخص الحيوانات</translation>
</message>
<message>
<source>anything about the stock</source>
<translation>كل ما يخص المخزون</translation>
</message>
<message>
<source>api endpoints openapi document contract offers deprecated beta</source>
<translation>api نقاط نهاية openapi مستند عقد متاح متقادم بيتا</translation>
</message>
<message>
<source>api key password token secret credentials log in login</source>
<translation>api مفتاح كلمة مرور رمز سر بيانات اعتماد تسجيل دخول</translation>
</message>
<message>
<source>argument {name}: {what}</source>
<translation>المعطى {name}: {what}</translation>
</message>
<message>
<source>as in the address</source>
<translation>كما في العنوان</translation>
</message>
<message>
<source>as of {time}</source>
<translation>بيانات {time}</translation>
</message>
<message>
<source>as published</source>
<translation>كما تنشره الخدمة</translation>
</message>
<message>
<source>as soon as the day has requests again</source>
<translation>حالما تتوفر طلبات لليوم من جديد</translation>
</message>
<message>
<source>as the program names it</source>
<translation>كما يسميه البرنامج</translation>
</message>
<message>
<source>as the service sets it</source>
<translation>كما تعيّنه الخدمة</translation>
</message>
<message>
<source>asked for #{asked}, the service answered with #{got}.</source>
<translation>سُئلت الخدمة عن #{asked}، فردت بـ #{got}.</translation>
</message>
<message>
<source>attention  refused, in conflict or unconfirmed</source>
<translation>انتباه  مرفوض أو متعارض أو غير مؤكد</translation>
</message>
<message>
<source>automatic</source>
<translation>تلقائي</translation>
</message>
<message>
<source>available</source>
<translation>متاح</translation>
</message>
<message>
<source>background</source>
<translation>في الخلفية</translation>
</message>
<message>
<source>bar code {code}</source>
<translation>الرمز الشريطي {code}</translation>
</message>
<message>
<source>bar codes</source>
<comment>the name of a file</comment>
<translation>الرموز الشريطية</translation>
</message>
<message>
<source>barcode bar code qr sticker tag print shelf</source>
<translation>باركود رمز شريطي qr ملصق لاصقة بطاقة طباعة رف</translation>
</message>
<message>
<source>begun {time}</source>
<translation>بدأ: {time}</translation>
</message>
<message>
<source>behind</source>
<translation>متأخرة عن</translation>
</message>
<message>
<source>being sent</source>
<translation>قيد الإرسال</translation>
</message>
<message>
<source>below-zero  the stock is below zero</source>
<translation>دون-الصفر  المخزون دون الصفر</translation>
</message>
<message>
<source>beta</source>
<translation>بيتا</translation>
</message>
<message>
<source>booked</source>
<translation>مرحّل</translation>
</message>
<message>
<source>broken off</source>
<translation>انقطع</translation>
</message>
<message>
<source>bug report log</source>
<translation>بلاغ خطأ تقرير سجل</translation>
</message>
<message>
<source>cancel orders</source>
<translation>إلغاء الطلبيات</translation>
</message>
<message>
<source>cancelled</source>
<translation>تم الإلغاء</translation>
</message>
<message>
<source>categories</source>
<translation>الفئات</translation>
</message>
<message>
<source>category {id}</source>
<translation>الفئة {id}</translation>
</message>
<message>
<source>change categories</source>
<translation>تغيير الفئات</translation>
</message>
<message>
<source>change connection server window</source>
<translation>تغيير اتصال خادم نافذة</translation>
</message>
<message>
<source>change orders</source>
<translation>تغيير الطلبيات</translation>
</message>
<message>
<source>change pets</source>
<translation>تغيير الحيوانات</translation>
</message>
<message>
<source>change quantity amount count inventory book</source>
<translation>تغيير كمية عدد جرد مخزون ترحيل</translation>
</message>
<message>
<source>change rename modify</source>
<translation>تغيير تسمية تعديل</translation>
</message>
<message>
<source>change rename modify bulk</source>
<translation>تغيير تسمية تعديل جماعي</translation>
</message>
<message>
<source>change the stock</source>
<translation>تغيير المخزون</translation>
</message>
<message>
<source>changed</source>
<translation>للتغيير</translation>
</message>
<message>
<source>changed  today, by you or at the service</source>
<translation>تغير  اليوم، منك أو لدى الخدمة</translation>
</message>
<message>
<source>changed by somebody else</source>
<translation>غيّره شخص آخر</translation>
</message>
<message>
<source>changed elsewhere</source>
<translation>تغيّر في مكان آخر</translation>
</message>
<message>
<source>changes</source>
<translation>التغييرات</translation>
</message>
<message>
<source>changes to</source>
<translation>يصبح</translation>
</message>
<message>
<source>changes to {value}</source>
<translation>يتغير إلى {value}</translation>
</message>
<message>
<source>changes wait for the next day</source>
<translation>التغييرات تنتظر اليوم التالي</translation>
</message>
<message>
<source>changes {day}</source>
<comment>the name of a file</comment>
<translation>تغييرات {day}</translation>
</message>
<message>
<source>changes {first} to {last}</source>
<comment>the name of a file</comment>
<translation>تغييرات {first} إلى {last}</translation>
</message>
<message>
<source>chosen by you</source>
<translation>اخترته أنت</translation>
</message>
<message>
<source>clipboard</source>
<translation>حافظة</translation>
</message>
<message>
<source>clipboard answer order read out phone call customer</source>
<translation>حافظة رد طلبية قراءة هاتف مكالمة زبون عميل</translation>
</message>
<message>
<source>clipboard insert excel</source>
<translation>حافظة إدراج excel إكسل</translation>
</message>
<message>
<source>clipboard number</source>
<translation>حافظة رقم</translation>
</message>
<message>
<source>clipboard titles columns excel</source>
<translation>حافظة عناوين أعمدة excel إكسل</translation>
</message>
<message>
<source>complete</source>
<translation>مكتملة</translation>
</message>
<message>
<source>conflicts errors failed problems attention review</source>
<translation>تعارض تعارضات أخطاء فشل مشكلات انتباه مراجعة</translation>
</message>
<message>
<source>continue go on pause ban limit</source>
<translation>متابعة استمرار إيقاف حظر حد</translation>
</message>
<message>
<source>copied {time}</source>
<translation>نُسخ: {time}</translation>
</message>
<message>
<source>count of {what}</source>
<translation>جرد {what}</translation>
</message>
<message>
<source>counted at {time}</source>
<translation>عُدّ في {time}</translation>
</message>
<message>
<source>counting</source>
<translation>قيد العدّ</translation>
</message>
<message>
<source>counting…</source>
<translation>جارٍ العدّ…</translation>
</message>
<message>
<source>counts as done; nothing is sent</source>
<translation>يُعتبر أنه تم بالفعل؛ ولا يُرسل شيء</translation>
</message>
<message>
<source>created</source>
<translation>تم الإنشاء</translation>
</message>
<message>
<source>csv excel xlsx spreadsheet table file load read upload open</source>
<translation>csv excel xlsx إكسل جدول بيانات ملف تحميل قراءة رفع فتح</translation>
</message>
<message>
<source>csv excel xlsx spreadsheet table file save download</source>
<translation>csv excel xlsx إكسل جدول بيانات ملف حفظ تنزيل</translation>
</message>
<message>
<source>d day days|w week weeks</source>
<comment>words after +3; those for days and for weeks</comment>
<translation>يوم أيام يومًا يومين|أسبوع أسابيع أسبوعًا أسبوعين</translation>
</message>
<message>
<source>day after tomorrow</source>
<translation>بعد غد</translation>
</message>
<message>
<source>day used up for {left}</source>
<translation>نفدت طلبات اليوم، الانتظار {left}</translation>
</message>
<message numerus="yes">
<source>decision about {n} changes</source>
<translation>
<numerusform>لا قرار</numerusform>
<numerusform>قرار بشأن تغيير واحد</numerusform>
<numerusform>قرار بشأن تغييرين</numerusform>
<numerusform>قرار بشأن {n} تغييرات</numerusform>
<numerusform>قرار بشأن {n} تغييرًا</numerusform>
<numerusform>قرار بشأن {n} تغيير</numerusform>
</translation>
</message>
<message>
<source>delete</source>
<translation>حذف</translation>
</message>
<message>
<source>delete categories</source>
<translation>حذف الفئات</translation>
</message>
<message>
<source>delete pets</source>
<translation>حذف الحيوانات</translation>
</message>
<message>
<source>delete remove</source>
<translation>حذف إزالة</translation>
</message>
<message>
<source>delete {record}</source>
<translation>حذف {record}</translation>
</message>
<message>
<source>deleted</source>
<translation>تم الحذف</translation>
</message>
<message>
<source>deletion of the view {name}</source>
<translation>حذف طريقة العرض {name}</translation>
</message>
<message>
<source>demo shop</source>
<translation>المتجر التجريبي</translation>
</message>
<message>
<source>deprecated</source>
<translation>متقادمة</translation>
</message>
<message>
<source>deprecated, until {day}</source>
<translation>متقادمة، حتى {day}</translation>
</message>
<message>
<source>different values</source>
<translation>قيم مختلفة</translation>
</message>
<message>
<source>discarded</source>
<translation>تم تجاهله</translation>
</message>
<message>
<source>done {moment}</source>
<translation>يكتمل: {moment}</translation>
</message>
<message>
<source>each pet in {category}</source>
<translation>كل حيوان في {category}</translation>
</message>
<message numerus="yes">
<source>each pet in {n} categories</source>
<translation>
<numerusform>كل حيوان في الفئات</numerusform>
<numerusform>كل حيوان في فئة واحدة</numerusform>
<numerusform>كل حيوان في فئتين</numerusform>
<numerusform>كل حيوان في {n} فئات</numerusform>
<numerusform>كل حيوان في {n} فئة</numerusform>
<numerusform>كل حيوان في {n} فئة</numerusform>
</translation>
</message>
<message>
<source>elsewhere</source>
<comment>changed by another program</comment>
<translation>خارجيًا</translation>
</message>
<message>
<source>empty</source>
<translation>فارغ</translation>
</message>
<message>
<source>every answer takes {seconds} s</source>
<translation>كل رد يستغرق {seconds} ث</translation>
</message>
<message>
<source>every {every} s a pause of {lasts} s, first at {first}</source>
<translation>إيقاف مؤقت لمدة {lasts} ث كل {every} ث، أوله عند {first}</translation>
</message>
<message>
<source>exclude hide not filter</source>
<translation>استبعاد إخفاء ليس تصفية</translation>
</message>
<message>
<source>exit close end leave</source>
<translation>إنهاء إغلاق مغادرة</translation>
</message>
<message>
<source>expected at least one argument</source>
<translation>تلزم قيمة واحدة على الأقل</translation>
</message>
<message>
<source>expected one argument</source>
<translation>تلزم قيمة واحدة</translation>
</message>
<message>
<source>experimental</source>
<translation>تجريبية</translation>
</message>
<message>
<source>failed there</source>
<translation>فشل هناك</translation>
</message>
<message>
<source>file json share load</source>
<translation>ملف json مشاركة تحميل</translation>
</message>
<message>
<source>file json share save</source>
<translation>ملف json مشاركة حفظ</translation>
</message>
<message>
<source>filter bookmark favourite new add</source>
<translation>تصفية إشارة مرجعية مفضلة جديد إضافة</translation>
</message>
<message>
<source>find search fetch number</source>
<translation>إيجاد بحث جلب رقم</translation>
</message>
<message>
<source>for example {example}</source>
<translation>مثلًا {example}</translation>
</message>
<message>
<source>forgetting of {code}</source>
<translation>نسيان {code}</translation>
</message>
<message>
<source>found</source>
<translation>موجود</translation>
</message>
<message>
<source>goes on after {time} ({why})</source>
<translation>يُستأنف ابتداءً من {time} ({why})</translation>
</message>
<message>
<source>goes out with the next `petstore-desktop sync`, import or booking, or while the window is open</source>
<translation>سيُرسل مع `petstore-desktop sync` أو الاستيراد أو القيد التالي، أو ما دامت النافذة مفتوحة</translation>
</message>
<message>
<source>goods delivery supplier scan scanner book in stock arrived</source>
<translation>بضاعة بضائع توريد تسليم مورد مسح ماسح ترحيل مخزون وصول</translation>
</message>
<message>
<source>help handbook guide how to</source>
<translation>مساعدة دليل إرشاد كيف</translation>
</message>
<message>
<source>here</source>
<comment>changed with this program</comment>
<translation>هنا</translation>
</message>
<message>
<source>here and elsewhere</source>
<comment>changed with this program and by another one</comment>
<translation>هنا وخارجيًا</translation>
</message>
<message>
<source>hidden</source>
<translation>مخفي</translation>
</message>
<message>
<source>hidden until the next scan</source>
<translation>مخفي حتى المسح التالي</translation>
</message>
<message>
<source>hide show visible fields</source>
<translation>إخفاء إظهار مرئي حقول</translation>
</message>
<message>
<source>history journal log audit sent undo</source>
<translation>محفوظات يومية سجل تدقيق مرسل تراجع</translation>
</message>
<message>
<source>history past difference differences between yesterday week since what changed</source>
<translation>محفوظات ماض فرق فروق بين أمس أسبوع منذ ما تغير</translation>
</message>
<message>
<source>how the service of {name} speaks is not known yet; `petstore-desktop doctor` or `sync` asks it first</source>
<translation>لا يُعرف بعد كيف تتخاطب خدمة {name}؛ يسألها الأمر `petstore-desktop doctor` أو `sync` أولًا</translation>
</message>
<message>
<source>id</source>
<translation>المعرّف</translation>
</message>
<message>
<source>import of bar codes</source>
<translation>استيراد الرموز الشريطية</translation>
</message>
<message>
<source>import of views</source>
<translation>استيراد طرق العرض</translation>
</message>
<message>
<source>in conflict</source>
<translation>متعارض</translation>
</message>
<message>
<source>in conflict with the service</source>
<translation>متعارض مع الخدمة</translation>
</message>
<message>
<source>in stock</source>
<translation>في المخزون</translation>
</message>
<message>
<source>in stock {count}</source>
<translation>في المخزون {count}</translation>
</message>
<message>
<source>in this window</source>
<translation>في هذه النافذة</translation>
</message>
<message numerus="yes">
<source>in {n} days</source>
<translation>
<numerusform>اليوم</numerusform>
<numerusform>بعد يوم</numerusform>
<numerusform>بعد يومين</numerusform>
<numerusform>بعد {n} أيام</numerusform>
<numerusform>بعد {n} يومًا</numerusform>
<numerusform>بعد {n} يوم</numerusform>
</translation>
</message>
<message>
<source>incomplete</source>
<translation>غير كاملة</translation>
</message>
<message>
<source>incomplete  without a pet, a quantity or a ship date</source>
<translation>ناقصة  بلا حيوان أو كمية أو تاريخ شحن</translation>
</message>
<message>
<source>interrupted</source>
<translation>تمت المقاطعة</translation>
</message>
<message>
<source>interrupted; the running program goes on with it</source>
<translation>تمت المقاطعة؛ يواصل البرنامج الجاري العمل على الباقي</translation>
</message>
<message>
<source>invalid choice: {value} (choose from {names})</source>
<translation>اختيار غير صالح: {value} (اختر من {names})</translation>
</message>
<message>
<source>is discarded; nothing is sent</source>
<translation>أُهمل؛ ولا يُرسل شيء</translation>
</message>
<message>
<source>it answers with a list, not with one record</source>
<translation>ترد بقائمة لا بسجل واحد</translation>
</message>
<message>
<source>it answers with a list, so it creates nothing</source>
<translation>ترد بقائمة، فهي لا تُنشئ شيئًا</translation>
</message>
<message>
<source>it answers with one record, not with a list</source>
<translation>ترد بسجل واحد لا بقائمة</translation>
</message>
<message>
<source>it does not lie at the same path as {what}</source>
<translation>لا تقع في مسار {what} نفسه</translation>
</message>
<message>
<source>it does not take a record</source>
<translation>لا تقبل سجلًا</translation>
</message>
<message>
<source>it filters or sorts by a column that does not exist here: {what}</source>
<translation>تصفّي أو تفرز حسب عمود غير موجود هنا: {what}</translation>
</message>
<message>
<source>it has no name</source>
<translation>ليس لها اسم</translation>
</message>
<message>
<source>it is not a view</source>
<translation>ليست طريقة عرض</translation>
</message>
<message>
<source>it is not certain that “{what}” in its path is the record’s own id</source>
<translation>ليس مؤكدًا أن «{what}» في مسارها هو معرّف السجل نفسه</translation>
</message>
<message>
<source>it is not certain which record the service would change by this id. A profile says what its ids mean</source>
<translation>ليس مؤكدًا أي سجل ستغيّره الخدمة بهذا المعرّف. الملف التعريفي يحدد معنى المعرّفات</translation>
</message>
<message>
<source>it is only at another server, {what}</source>
<translation>لا توجد إلا على خادم آخر، {what}</translation>
</message>
<message>
<source>it requires a value for the header “{what}”</source>
<translation>تتطلب قيمة للترويسة «{what}»</translation>
</message>
<message>
<source>it requires a value for “{what}”</source>
<translation>تتطلب قيمة لـ «{what}»</translation>
</message>
<message>
<source>it takes none of the fields that the program knows</source>
<translation>لا تقبل أيًا من الحقول التي يعرفها البرنامج</translation>
</message>
<message>
<source>it takes {what}, and the program sends JSON</source>
<translation>تقبل {what}، والبرنامج يرسل JSON</translation>
</message>
<message>
<source>it was cancelled before the answer came.</source>
<translation>أُلغي قبل وصول الرد.</translation>
</message>
<message>
<source>it was done, and need not be done again; only this answer could not be written to standard output ({why})</source>
<translation>تم ذلك ولا حاجة إلى تكراره؛ لكن تعذرت كتابة هذه الإجابة في الخرج القياسي ({why})</translation>
</message>
<message>
<source>it was not sent from here</source>
<translation>لم يُرسل من هنا</translation>
</message>
<message>
<source>it was refused or never sent: it cannot count as done</source>
<translation>رُفض هذا أو لم يُرسل قط: لا يمكن اعتباره منجزًا</translation>
</message>
<message>
<source>it would erase the values of {fields}: the service does not show them, or takes them nowhere</source>
<translation>سيمحو ذلك قيم {fields}: فالخدمة لا تعرضها، أو لا تقبلها في أي موضع</translation>
</message>
<message>
<source>its answer does not look like {things}</source>
<translation>ردّها لا يشبه {things}</translation>
</message>
<message>
<source>its answer looks like {things}</source>
<translation>ردّها يشبه {things}</translation>
</message>
<message>
<source>its fields look like {things}, its path does not</source>
<translation>حقولها تشبه {things}، أما مسارها فلا</translation>
</message>
<message>
<source>its filter or sort cannot be read</source>
<translation>لا يمكن قراءة عامل تصفيتها أو فرزها</translation>
</message>
<message>
<source>its list does not exist here: {what}</source>
<translation>قائمتها غير موجودة هنا: {what}</translation>
</message>
<message>
<source>its name is too long</source>
<translation>اسمها طويل جدًا</translation>
</message>
<message>
<source>key banned</source>
<translation>المفتاح محظور</translation>
</message>
<message>
<source>key banned for {left}</source>
<translation>المفتاح محظور، الانتظار {left}</translation>
</message>
<message>
<source>key not accepted</source>
<translation>المفتاح غير مقبول</translation>
</message>
<message>
<source>koi red  both words      koi|red  one of them</source>
<translation>كوي أحمر  الكلمتان معًا      كوي|أحمر  إحداهما</translation>
</message>
<message>
<source>late</source>
<translation>متأخرة</translation>
</message>
<message>
<source>leaves {left} of {limit} today</source>
<translation>يبقى {left} من {limit} اليوم</translation>
</message>
<message>
<source>leaves ≈ {left} of {limit} today</source>
<translation>يبقى ≈ {left} من {limit} اليوم</translation>
</message>
<message>
<source>left out</source>
<translation>مستبعد</translation>
</message>
<message>
<source>limit unknown</source>
<translation>الحد غير معروف</translation>
</message>
<message>
<source>line of {what} in the delivery</source>
<translation>سطر {what} في الاستلام</translation>
</message>
<message>
<source>list</source>
<comment>a file of no better name</comment>
<translation>قائمة</translation>
</message>
<message>
<source>live, {time}</source>
<translation>مباشر، {time}</translation>
</message>
<message>
<source>log network http calls api</source>
<translation>سجل شبكة http نداءات api</translation>
</message>
<message>
<source>logs errors debug file</source>
<translation>سجلات أخطاء تصحيح ملف</translation>
</message>
<message>
<source>look up a category</source>
<translation>البحث عن فئة</translation>
</message>
<message>
<source>look up a pet</source>
<translation>البحث عن حيوان</translation>
</message>
<message>
<source>look up a stock entry</source>
<translation>البحث عن قيد مخزون</translation>
</message>
<message>
<source>look up an order</source>
<translation>البحث عن طلبية</translation>
</message>
<message>
<source>low</source>
<translation>منخفض</translation>
</message>
<message>
<source>low  at or below the minimum</source>
<translation>منخفض  عند الحد الأدنى أو دونه</translation>
</message>
<message>
<source>low threshold limit reorder warning</source>
<translation>منخفض حد عتبة إعادة طلب تحذير</translation>
</message>
<message>
<source>minute used up for {left}</source>
<translation>نفدت طلبات الدقيقة، الانتظار {left}</translation>
</message>
<message>
<source>more-than-stock  the open orders of its pet are for more than is in stock</source>
<translation>أكثر-من-المخزون  الطلبيات المفتوحة لحيوانها تفوق المخزون</translation>
</message>
<message>
<source>name and category, as there is no column with ids</source>
<translation>الاسم والفئة، لعدم وجود عمود للمعرّفات</translation>
</message>
<message>
<source>name, as there is no column with ids</source>
<translation>الاسم، لعدم وجود عمود للمعرّفات</translation>
</message>
<message>
<source>needs a key</source>
<translation>يحتاج إلى مفتاح</translation>
</message>
<message>
<source>neither its records nor the rest of the document are about pets</source>
<translation>لا سجلاتها ولا بقية المستند تخص الحيوانات</translation>
</message>
<message>
<source>never read</source>
<translation>لم تُقرأ قط</translation>
</message>
<message>
<source>new</source>
<translation>جديد</translation>
</message>
<message>
<source>new</source>
<comment>a record created here</comment>
<translation>جديد</translation>
</message>
<message>
<source>new</source>
<comment>in place of an id that the service has not given yet</comment>
<translation>جديد</translation>
</message>
<message>
<source>new categories</source>
<translation>إضافة فئات</translation>
</message>
<message>
<source>new count</source>
<translation>الجرد الجديد</translation>
</message>
<message>
<source>new orders</source>
<translation>إضافة طلبيات</translation>
</message>
<message>
<source>new pets</source>
<translation>إضافة حيوانات</translation>
</message>
<message>
<source>new {record}</source>
<translation>إنشاء {record}</translation>
</message>
<message>
<source>next refresh at {time}</source>
<translation>التحديث التالي: {time}</translation>
</message>
<message>
<source>next refresh at {time} ({why})</source>
<translation>التحديث التالي: {time} ({why})</translation>
</message>
<message>
<source>no</source>
<translation>لا</translation>
</message>
<message>
<source>no answer: {why}</source>
<translation>بلا رد: {why}</translation>
</message>
<message>
<source>no column of the file can be told to be a field of {wanted}; nothing was saved. Name the columns in its first row, as `export` does</source>
<translation>لا يمكن التعرف على أي عمود في الملف كحقل من {wanted}؛ لم يُحفظ شيء. سمِّ الأعمدة في الصف الأول كما يفعل `export`</translation>
</message>
<message>
<source>no key came on stdin; nothing was changed</source>
<translation>لم يصل أي مفتاح عبر stdin؛ لم يتغير شيء</translation>
</message>
<message>
<source>no key was typed; nothing was changed</source>
<translation>لم يُكتب أي مفتاح؛ لم يتغير شيء</translation>
</message>
<message>
<source>no network from {goes} to {back}</source>
<translation>لا شبكة من {goes} إلى {back}</translation>
</message>
<message>
<source>no operation does it now; choose one in “Operations of this service”</source>
<translation>لا عملية تؤدي ذلك الآن؛ اختر واحدة في «عمليات هذه الخدمة»</translation>
</message>
<message>
<source>no pet</source>
<translation>بلا حيوان</translation>
</message>
<message>
<source>no reason given</source>
<translation>لم يُذكر سبب</translation>
</message>
<message>
<source>no record shows how this service names the category or the pet: by id, by name or otherwise</source>
<translation>لا يُظهر أي سجل كيف تحدد هذه الخدمة الفئة أو الحيوان: بالمعرّف أم بالاسم أم بغيرهما</translation>
</message>
<message>
<source>no request</source>
<translation>بلا طلبات</translation>
</message>
<message>
<source>no requests are left</source>
<translation>لا طلبات متبقية</translation>
</message>
<message>
<source>no stock entry</source>
<translation>بلا قيد مخزون</translation>
</message>
<message>
<source>no such category</source>
<translation>لا توجد فئة كهذه</translation>
</message>
<message>
<source>no such pet</source>
<translation>لا يوجد حيوان كهذا</translation>
</message>
<message>
<source>no-such-pet  its pet does not exist</source>
<translation>حيوان-مفقود  حيوانها غير موجود</translation>
</message>
<message>
<source>none</source>
<translation>بلا</translation>
</message>
<message>
<source>none</source>
<comment>no ship date</comment>
<translation>بلا</translation>
</message>
<message>
<source>none left, next try in {left}</source>
<translation>لا طلبات متبقية، المحاولة التالية بعد {left}</translation>
</message>
<message>
<source>none today</source>
<translation>لا شيء اليوم</translation>
</message>
<message>
<source>not allowed</source>
<translation>غير مسموح به</translation>
</message>
<message>
<source>not allowed with argument {name}</source>
<translation>لا يجتمع مع {name}</translation>
</message>
<message>
<source>not available</source>
<translation>غير متاح</translation>
</message>
<message>
<source>not booked</source>
<translation>غير مرحّل</translation>
</message>
<message>
<source>not booked yet</source>
<translation>لم يُرحّل بعد</translation>
</message>
<message>
<source>not checked yet</source>
<translation>لم يُفحص بعد</translation>
</message>
<message>
<source>not found</source>
<translation>غير موجود</translation>
</message>
<message>
<source>not known</source>
<translation>غير معروف</translation>
</message>
<message>
<source>not now</source>
<translation>ليس الآن</translation>
</message>
<message>
<source>not offered</source>
<translation>غير متاحة</translation>
</message>
<message>
<source>not reached</source>
<translation>لم يصل إليه الفحص</translation>
</message>
<message>
<source>not read to its end</source>
<translation>لم تُقرأ حتى نهايتها</translation>
</message>
<message>
<source>not readable</source>
<translation>غير مقروء</translation>
</message>
<message>
<source>not said</source>
<translation>لم يُذكر</translation>
</message>
<message>
<source>not saved</source>
<translation>لم يُحفظ</translation>
</message>
<message>
<source>not secure</source>
<translation>غير آمن</translation>
</message>
<message>
<source>not sent: this connection is read-only</source>
<translation>لم يُرسل: هذا الاتصال للقراءة فقط</translation>
</message>
<message>
<source>not there</source>
<translation>غير موجود</translation>
</message>
<message>
<source>not yet</source>
<translation>ليس بعد</translation>
</message>
<message>
<source>note</source>
<translation>ملاحظة</translation>
</message>
<message>
<source>nothing</source>
<translation>لا شيء</translation>
</message>
<message>
<source>nothing else in the document is about pets, their orders or their stock</source>
<translation>لا شيء آخر في المستند يخص الحيوانات أو طلبياتها أو مخزونها</translation>
</message>
<message>
<source>nothing here reaches your shop. {said}</source>
<translation>لا يصل شيء من هنا إلى متجرك. {said}</translation>
</message>
<message>
<source>nothing is kept here of the {resource} of {name} yet; `petstore-desktop sync {typed}` reads them</source>
<translation>لا يوجد هنا بعد شيء من {resource} لدى {name}؛ يقرؤها `petstore-desktop sync {typed}`</translation>
</message>
<message>
<source>nothing is known to be stored</source>
<translation>لا يُعرف أن شيئًا قد خُزّن</translation>
</message>
<message>
<source>nothing needs a decision</source>
<translation>لا شيء يتطلب قرارًا</translation>
</message>
<message>
<source>nothing read yet</source>
<translation>لم يُقرأ شيء بعد</translation>
</message>
<message>
<source>nothing to send</source>
<translation>لا شيء للإرسال</translation>
</message>
<message>
<source>nothing was changed</source>
<translation>لم يتغير شيء</translation>
</message>
<message>
<source>nothing was changed in {file}</source>
<translation>لم يتغير شيء في {file}</translation>
</message>
<message>
<source>nothing was saved</source>
<translation>لم يُحفظ شيء</translation>
</message>
<message>
<source>nothing was sent</source>
<translation>لم يُرسل شيء</translation>
</message>
<message>
<source>nothing was sent, not even the key</source>
<translation>لم يُرسل شيء، ولا حتى المفتاح</translation>
</message>
<message>
<source>now</source>
<comment>this moment</comment>
<translation>الآن</translation>
</message>
<message>
<source>o: orders   p: pets   c: categories   s: stock</source>
<translation>‏o: الطلبيات   p: الحيوانات   c: الفئات   s: المخزون</translation>
</message>
<message>
<source>of an unexpected error in the program ({name})</source>
<translation>بسبب خطأ غير متوقع في البرنامج ({name})</translation>
</message>
<message numerus="yes">
<source>of {n} changes</source>
<translation>
<numerusform>من أصل {n} تغيير</numerusform>
<numerusform>من تغيير واحد</numerusform>
<numerusform>من تغييرين</numerusform>
<numerusform>من {n} تغييرات</numerusform>
<numerusform>من {n} تغييرًا</numerusform>
<numerusform>من {n} تغيير</numerusform>
</translation>
</message>
<message>
<source>offered</source>
<translation>متاحة</translation>
</message>
<message>
<source>offered, not by your choice</source>
<translation>متاحة، لكن ليس باختيارك</translation>
</message>
<message>
<source>offline since {time}</source>
<translation>دون اتصال منذ {time}</translation>
</message>
<message>
<source>oldest {days}</source>
<translation>أقدمها: {days}</translation>
</message>
<message>
<source>on a later day</source>
<translation>في يوم لاحق</translation>
</message>
<message>
<source>on an earlier day</source>
<translation>في يوم سابق</translation>
</message>
<message>
<source>one of the arguments {names} is required</source>
<translation>يلزم واحد من هذه المعطيات: {names}</translation>
</message>
<message>
<source>one without a title</source>
<translation>مستند بلا عنوان</translation>
</message>
<message>
<source>only a part of the {resource} of {name} is kept here ({count}); nothing was saved. `petstore-desktop sync {typed}` reads the rest</source>
<translation>يوجد هنا جزء فقط من {resource} لدى {name} ({count})؛ لم يُحفظ شيء. يقرأ `petstore-desktop sync {typed}` الباقي</translation>
</message>
<message>
<source>only on this computer</source>
<translation>على هذا الكمبيوتر فقط</translation>
</message>
<message>
<source>open</source>
<translation>مفتوحة</translation>
</message>
<message numerus="yes">
<source>open orders for more than is in stock</source>
<translation>
<numerusform>من الطلبيات المفتوحة تفوق المخزون</numerusform>
<numerusform>من الطلبيات المفتوحة تفوق المخزون</numerusform>
<numerusform>من الطلبيات المفتوحة تفوق المخزون</numerusform>
<numerusform>من الطلبيات المفتوحة تفوق المخزون</numerusform>
<numerusform>من الطلبيات المفتوحة تفوق المخزون</numerusform>
<numerusform>من الطلبيات المفتوحة تفوق المخزون</numerusform>
</translation>
</message>
<message>
<source>or</source>
<translation>أو</translation>
</message>
<message>
<source>or {other}</source>
<translation>أو {other}</translation>
</message>
<message>
<source>order</source>
<translation>طلبية</translation>
</message>
<message>
<source>order {id}</source>
<translation>الطلبية {id}</translation>
</message>
<message>
<source>orders</source>
<translation>الطلبيات</translation>
</message>
<message numerus="yes">
<source>orders are for pets that do not exist</source>
<translation>
<numerusform>من الطلبيات لحيوانات غير موجودة</numerusform>
<numerusform>من الطلبيات لحيوان غير موجود</numerusform>
<numerusform>من الطلبيات لحيوانات غير موجودة</numerusform>
<numerusform>من الطلبيات لحيوانات غير موجودة</numerusform>
<numerusform>من الطلبيات لحيوانات غير موجودة</numerusform>
<numerusform>من الطلبيات لحيوانات غير موجودة</numerusform>
</translation>
</message>
<message numerus="yes">
<source>orders without a pet, quantity or date</source>
<translation>
<numerusform>من الطلبيات بلا حيوان أو كمية أو تاريخ</numerusform>
<numerusform>من الطلبيات بلا حيوان أو كمية أو تاريخ</numerusform>
<numerusform>من الطلبيات بلا حيوان أو كمية أو تاريخ</numerusform>
<numerusform>من الطلبيات بلا حيوان أو كمية أو تاريخ</numerusform>
<numerusform>من الطلبيات بلا حيوان أو كمية أو تاريخ</numerusform>
<numerusform>من الطلبيات بلا حيوان أو كمية أو تاريخ</numerusform>
</translation>
</message>
<message>
<source>other answers at its path do not look like {things}</source>
<translation>الردود الأخرى في مسارها لا تشبه {things}</translation>
</message>
<message>
<source>other answers at its path look like {things}</source>
<translation>الردود الأخرى في مسارها تشبه {things}</translation>
</message>
<message>
<source>outbox queue unsent pending not sent</source>
<translation>صادر طابور غير مرسل منتظر معلق</translation>
</message>
<message>
<source>overdue  the ship date is past, and the order is open</source>
<translation>متأخرة  مضى تاريخ الشحن، والطلبية مفتوحة</translation>
</message>
<message>
<source>page {page} of {pages}</source>
<translation>الصفحة {page} من {pages}</translation>
</message>
<message>
<source>pasted lines in the delivery</source>
<translation>الأسطر الملصقة في الاستلام</translation>
</message>
<message>
<source>paused</source>
<translation>متوقف مؤقتًا</translation>
</message>
<message>
<source>paused {left}</source>
<translation>متوقف مؤقتًا، الانتظار {left}</translation>
</message>
<message>
<source>pdf paper printer page</source>
<translation>pdf ورق طابعة صفحة</translation>
</message>
<message>
<source>pending</source>
<translation>محجوز</translation>
</message>
<message>
<source>pending|sold  one of them      !sold  not this one</source>
<translation>محجوز|مباع  إحداهما      !مباع  ما عداها</translation>
</message>
<message>
<source>person</source>
<translation>يدوي</translation>
</message>
<message>
<source>pet {id}</source>
<translation>الحيوان {id}</translation>
</message>
<message>
<source>pets</source>
<translation>الحيوانات</translation>
</message>
<message numerus="yes">
<source>pets with the name of another one of their category</source>
<translation>
<numerusform>من الحيوانات لها اسم حيوان آخر من فئتها</numerusform>
<numerusform>من الحيوانات له اسم حيوان آخر من فئته</numerusform>
<numerusform>من الحيوانات لهما اسم حيوان آخر من فئتهما</numerusform>
<numerusform>من الحيوانات لها اسم حيوان آخر من فئتها</numerusform>
<numerusform>من الحيوانات لها اسم حيوان آخر من فئتها</numerusform>
<numerusform>من الحيوانات لها اسم حيوان آخر من فئتها</numerusform>
</translation>
</message>
<message numerus="yes">
<source>pets without a category</source>
<translation>
<numerusform>من الحيوانات بلا فئة</numerusform>
<numerusform>من الحيوانات بلا فئة</numerusform>
<numerusform>من الحيوانات بلا فئة</numerusform>
<numerusform>من الحيوانات بلا فئة</numerusform>
<numerusform>من الحيوانات بلا فئة</numerusform>
<numerusform>من الحيوانات بلا فئة</numerusform>
</translation>
</message>
<message>
<source>pin lock fix frozen panes left</source>
<translation>تثبيت قفل تجميد أجزاء يمين</translation>
</message>
<message>
<source>plain http to {host} would show the key to others; use https (http is only for this computer)</source>
<translation>الاتصال بـ {host} عبر http دون تشفير يكشف المفتاح للآخرين؛ استخدم https (http لهذا الكمبيوتر فقط)</translation>
</message>
<message>
<source>plan not known</source>
<translation>الباقة غير معروفة</translation>
</message>
<message>
<source>plan {plan}</source>
<translation>الباقة {plan}</translation>
</message>
<message>
<source>problem</source>
<translation>مشكلة</translation>
</message>
<message>
<source>profile</source>
<comment>the name of a file</comment>
<translation>ملف تعريف</translation>
</message>
<message>
<source>quota limit limits rate calls budget minute day</source>
<translation>حصة حد حدود معدل نداءات رصيد دقيقة يوم</translation>
</message>
<message>
<source>read from pets</source>
<translation>تُقرأ من الحيوانات</translation>
</message>
<message>
<source>read-only</source>
<translation>للقراءة فقط</translation>
</message>
<message>
<source>reading was stopped</source>
<translation>أُوقفت القراءة</translation>
</message>
<message>
<source>record {id} was made with other values than were sent: {values}.</source>
<translation>أُنشئ السجل {id} بقيم غير التي أُرسلت: {values}.</translation>
</message>
<message>
<source>records of this kind have no field “{field}”. Discard it, and enter it again</source>
<translation>ليس لسجلات هذا النوع الحقل «{field}». تجاهله، ثم أدخله مرة أخرى</translation>
</message>
<message>
<source>records that were deleted here are shown again: {met}. The service kept them, or somebody made them again.</source>
<translation>تظهر من جديد سجلات حُذفت هنا: {met}. إما أن الخدمة احتفظت بها، أو أن أحدًا أنشأها من جديد.</translation>
</message>
<message>
<source>refresh on screen</source>
<translation>تحديث المعروض</translation>
</message>
<message>
<source>refused</source>
<translation>مرفوض</translation>
</message>
<message>
<source>refused by the service</source>
<translation>رفضته الخدمة</translation>
</message>
<message>
<source>rehearsed</source>
<translation>محاكاة</translation>
</message>
<message>
<source>reload update sync synchronise fetch load</source>
<translation>إعادة تحميل تجديد مزامنة جلب قراءة</translation>
</message>
<message>
<source>remove</source>
<translation>إزالة</translation>
</message>
<message>
<source>remove reset show all</source>
<translation>إزالة إعادة ضبط إظهار الكل</translation>
</message>
<message>
<source>removed</source>
<translation>أُزيلت</translation>
</message>
<message>
<source>renamed to {name}</source>
<translation>الاسم الجديد {name}</translation>
</message>
<message>
<source>renaming of the view {name}</source>
<translation>إعادة تسمية طريقة العرض {name}</translation>
</message>
<message>
<source>repeat same value below</source>
<translation>تكرار القيمة نفسها أسفل</translation>
</message>
<message>
<source>repeat same value selection bulk</source>
<translation>تكرار القيمة نفسها تحديد جماعي</translation>
</message>
<message>
<source>restore reset default</source>
<translation>استعادة إعادة ضبط افتراضي</translation>
</message>
<message>
<source>row {row}: {why}</source>
<translation>الصف {row}: {why}</translation>
</message>
<message>
<source>same</source>
<translation>مطابق</translation>
</message>
<message>
<source>same-name  another pet of its category has the same name</source>
<translation>اسم-مكرر  حيوان آخر من فئته له الاسم نفسه</translation>
</message>
<message>
<source>saved filter list</source>
<translation>تصفية محفوظة قائمة</translation>
</message>
<message>
<source>saved on this computer, not sent</source>
<translation>محفوظ على هذا الكمبيوتر، لم يُرسل</translation>
</message>
<message>
<source>search find</source>
<translation>بحث إيجاد</translation>
</message>
<message>
<source>see `petstore-desktop decide {name}`, or the window, Activity &gt; Needs attention</source>
<translation>انظر `petstore-desktop decide {name}` أو في النافذة: النشاط &gt; يتطلب الانتباه</translation>
</message>
<message>
<source>see all categories</source>
<translation>عرض كل الفئات</translation>
</message>
<message>
<source>see all orders</source>
<translation>عرض كل الطلبيات</translation>
</message>
<message>
<source>see all pets</source>
<translation>عرض كل الحيوانات</translation>
</message>
<message>
<source>see the stock</source>
<translation>عرض المخزون</translation>
</message>
<message>
<source>select whole columns</source>
<translation>تحديد أعمدة كاملة</translation>
</message>
<message>
<source>select whole rows</source>
<translation>تحديد صفوف كاملة</translation>
</message>
<message>
<source>sent</source>
<translation>أُرسل</translation>
</message>
<message>
<source>sent elsewhere</source>
<translation>أُحيل إلى مكان آخر</translation>
</message>
<message>
<source>sent, but no answer came</source>
<translation>أُرسل، لكن لم يصل رد</translation>
</message>
<message>
<source>sent, then undone</source>
<translation>أُرسل، ثم تم التراجع عنه</translation>
</message>
<message>
<source>server address url api key log in login add account</source>
<translation>خادم سيرفر عنوان url api مفتاح تسجيل دخول إضافة حساب</translation>
</message>
<message>
<source>server address url api key password token certificate tls openapi colour name read-only forget options setup</source>
<translation>خادم سيرفر عنوان url api مفتاح كلمة مرور رمز شهادة tls openapi لون اسم للقراءة فقط نسيان خيارات إعداد</translation>
</message>
<message>
<source>service busy for {left}</source>
<translation>الخدمة مشغولة، الانتظار {left}</translation>
</message>
<message>
<source>set aside hold pending order phone call customer</source>
<translation>حجز تعليق انتظار طلبية هاتف مكالمة زبون عميل</translation>
</message>
<message>
<source>settings options setup configuration theme dark light mode night colours appearance language text font size data folder database files backup</source>
<translation>إعدادات خيارات ضبط سمة داكن فاتح وضع ليلي ألوان مظهر لغة نص خط حجم مجلد البيانات قاعدة بيانات ملفات نسخ احتياطي</translation>
</message>
<message>
<source>shortcuts keyboard manual documentation legend icons</source>
<translation>اختصارات لوحة مفاتيح دليل وثائق شرح أيقونات</translation>
</message>
<message>
<source>side pane panel sidebar</source>
<translation>جانب لوحة جزء شريط جانبي</translation>
</message>
<message>
<source>sold</source>
<translation>مباع</translation>
</message>
<message numerus="yes">
<source>sold pets still have stock</source>
<translation>
<numerusform>من الحيوانات المباعة لا يزال لها مخزون</numerusform>
<numerusform>من الحيوانات المباعة لا يزال له مخزون</numerusform>
<numerusform>من الحيوانات المباعة لا يزال لهما مخزون</numerusform>
<numerusform>من الحيوانات المباعة لا يزال لها مخزون</numerusform>
<numerusform>من الحيوانات المباعة لا يزال لها مخزون</numerusform>
<numerusform>من الحيوانات المباعة لا يزال لها مخزون</numerusform>
</translation>
</message>
<message>
<source>sold-with-stock  the pet is sold, and has stock</source>
<translation>مباع-له-مخزون  الحيوان مباع، وله مخزون</translation>
</message>
<message>
<source>somebody else changes a record every {seconds} s</source>
<translation>يغيّر شخص آخر سجلًا كل {seconds} ث</translation>
</message>
<message>
<source>starts at label {place}</source>
<translation>البدء من الملصق {place}</translation>
</message>
<message>
<source>status</source>
<translation>حالة</translation>
</message>
<message>
<source>status fulfil deliver done</source>
<translation>حالة تنفيذ تسليم تم</translation>
</message>
<message>
<source>status {status}</source>
<translation>الحالة {status}</translation>
</message>
<message>
<source>stock</source>
<translation>المخزون</translation>
</message>
<message numerus="yes">
<source>stock entries below zero</source>
<translation>
<numerusform>من قيود المخزون دون الصفر</numerusform>
<numerusform>من قيود المخزون دون الصفر</numerusform>
<numerusform>من قيود المخزون دون الصفر</numerusform>
<numerusform>من قيود المخزون دون الصفر</numerusform>
<numerusform>من قيود المخزون دون الصفر</numerusform>
<numerusform>من قيود المخزون دون الصفر</numerusform>
</translation>
</message>
<message numerus="yes">
<source>stock entries without a pet</source>
<translation>
<numerusform>من قيود المخزون بلا حيوان</numerusform>
<numerusform>من قيود المخزون بلا حيوان</numerusform>
<numerusform>من قيود المخزون بلا حيوان</numerusform>
<numerusform>من قيود المخزون بلا حيوان</numerusform>
<numerusform>من قيود المخزون بلا حيوان</numerusform>
<numerusform>من قيود المخزون بلا حيوان</numerusform>
</translation>
</message>
<message>
<source>stock of pet {id}</source>
<translation>مخزون الحيوان {id}</translation>
</message>
<message numerus="yes">
<source>stock of {n} pets changed</source>
<translation>
<numerusform>لم يتغير مخزون أي حيوان</numerusform>
<numerusform>تغيّر مخزون حيوان واحد</numerusform>
<numerusform>تغيّر مخزون حيوانين</numerusform>
<numerusform>تغيّر مخزون {n} حيوانات</numerusform>
<numerusform>تغيّر مخزون {n} حيوانًا</numerusform>
<numerusform>تغيّر مخزون {n} حيوان</numerusform>
</translation>
</message>
<message numerus="yes">
<source>stock of {n} pets changed by {pieces}</source>
<translation>
<numerusform>لم يتغير مخزون أي حيوان ({pieces})</numerusform>
<numerusform>تغيّر مخزون حيوان واحد بمقدار {pieces}</numerusform>
<numerusform>تغيّر مخزون حيوانين بمقدار {pieces}</numerusform>
<numerusform>تغيّر مخزون {n} حيوانات بمقدار {pieces}</numerusform>
<numerusform>تغيّر مخزون {n} حيوانًا بمقدار {pieces}</numerusform>
<numerusform>تغيّر مخزون {n} حيوان بمقدار {pieces}</numerusform>
</translation>
</message>
<message>
<source>stock set to {n}</source>
<translation>تعيين المخزون إلى {n}</translation>
</message>
<message>
<source>stock-without-pet  its pet does not exist</source>
<translation>مخزون-بلا-حيوان  حيوانه غير موجود</translation>
</message>
<message>
<source>stopped</source>
<translation>متوقف</translation>
</message>
<message>
<source>stopped by the proxy</source>
<translation>أوقفه الخادم الوكيل</translation>
</message>
<message>
<source>support bug report version system</source>
<translation>دعم بلاغ خطأ تقرير إصدار نظام</translation>
</message>
<message>
<source>take back revert</source>
<translation>إرجاع استرجاع إلغاء</translation>
</message>
<message>
<source>test after a pause</source>
<translation>اختبار بعد إيقاف مؤقت</translation>
</message>
<message>
<source>test doctor diagnose network internet proxy server offline trouble</source>
<translation>اختبار تشخيص شبكة إنترنت وكيل خادم انقطاع مشكلة</translation>
</message>
<message>
<source>testing once</source>
<translation>طلب اختبار جارٍ</translation>
</message>
<message>
<source>that is set on this computer</source>
<translation>المعيّن على هذا الكمبيوتر</translation>
</message>
<message>
<source>the CA file {path} cannot be read ({why}); nothing was changed</source>
<translation>تتعذر قراءة ملف CA ‏{path} ({why})؛ لم يتغير شيء</translation>
</message>
<message>
<source>the CA file {path} is larger than {megabytes} MB; nothing was changed. Give only the certificates of the authority that the service needs</source>
<translation>ملف CA ‏{path} أكبر من {megabytes} ميغابايت؛ لم يتغير شيء. أبقِ فيه شهادات جهة الإصدار التي تحتاج إليها الخدمة فقط</translation>
</message>
<message>
<source>the OpenAPI document cannot be used ({code}, {why})</source>
<translation>لا يمكن استخدام مستند OpenAPI ‏({code}، {why})</translation>
</message>
<message>
<source>the address holds a user name or password; give the key with --key-stdin instead</source>
<translation>يتضمن العنوان اسم مستخدم أو كلمة مرور؛ مرّر المفتاح بالخيار --key-stdin بدلًا من ذلك</translation>
</message>
<message>
<source>the answer holds no list of records.</source>
<translation>لا يحتوي الرد على قائمة سجلات.</translation>
</message>
<message>
<source>the answer holds two lists, and does not say which one is meant.</source>
<translation>يحتوي الرد على قائمتين، ولا يحدد أيتهما المقصودة.</translation>
</message>
<message>
<source>the answer is larger than {mb} MB; reading was stopped there.</source>
<translation>الرد أكبر من {mb} ميغابايت؛ أُوقفت القراءة عند هذا الحد.</translation>
</message>
<message>
<source>the answer is nested deeper than anything that can be read.</source>
<translation>الرد متداخل إلى عمق لا يمكن قراءته.</translation>
</message>
<message>
<source>the answer is not JSON, as data must be ({type}).</source>
<translation>الرد ليس JSON كما يجب أن تكون البيانات ({type}).</translation>
</message>
<message>
<source>the answer is not in UTF-8, the only encoding of JSON.</source>
<translation>الرد ليس بترميز UTF-8، وهو الترميز الوحيد لـ JSON.</translation>
</message>
<message>
<source>the answer is not one of this service.</source>
<translation>الرد ليس من ردود هذه الخدمة.</translation>
</message>
<message>
<source>the answer is not valid HTTP: it broke off, or its head is too large.</source>
<translation>الرد ليس HTTP صالحًا: فقد انقطع، أو رأسه كبير جدًا.</translation>
</message>
<message>
<source>the answer is packed in a way that cannot be unpacked ({encoding}).</source>
<translation>الرد مضغوط بطريقة لا يمكن فكها ({encoding}).</translation>
</message>
<message>
<source>the answer stops before its end.</source>
<translation>يتوقف الرد قبل نهايته.</translation>
</message>
<message>
<source>the answer was not complete in the time that a request has.</source>
<translation>لم يكتمل الرد خلال الوقت المتاح للطلب.</translation>
</message>
<message>
<source>the categories</source>
<translation>الفئات</translation>
</message>
<message>
<source>the changes could not be saved; nothing was sent</source>
<translation>تعذر حفظ التغييرات؛ لم يُرسل شيء</translation>
</message>
<message>
<source>the characters of the file can be read in several ways; nothing was saved. Say how with --encoding, such as --encoding windows-1252, or save the file in UTF-8</source>
<translation>يمكن قراءة حروف الملف بعدة طرق؛ ولم يُحفظ شيء. حدِّد الترميز باستخدام --encoding، مثل --encoding windows-1252، أو احفظ الملف بترميز UTF-8</translation>
</message>
<message>
<source>the connection broke before the answer came.</source>
<translation>انقطع الاتصال قبل وصول الرد.</translation>
</message>
<message>
<source>the dates can be read in two ways, 03/04 is 3 April or 4 March; nothing was saved. Say how with --dates dmy, mdy or ymd</source>
<translation>يمكن قراءة التواريخ بطريقتين، 03/04 هو 3 أبريل أو 4 مارس؛ لم يُحفظ شيء. حدّد ذلك بالخيار --dates dmy أو mdy أو ymd</translation>
</message>
<message>
<source>the day is used up</source>
<translation>استُنفدت طلبات اليوم</translation>
</message>
<message>
<source>the demo shop did not start: {why}</source>
<translation>لم يبدأ المتجر التجريبي: {why}</translation>
</message>
<message>
<source>the demo shop is in its window alone, and no connection; `petstore-desktop demo-shop` runs one for commands, and says the address and the key for `petstore-desktop connect`</source>
<translation>المتجر التجريبي في نافذته وحدها وليس اتصالًا؛ يشغّل `petstore-desktop demo-shop` متجرًا للأوامر ويذكر العنوان والمفتاح لـ `petstore-desktop connect`</translation>
</message>
<message>
<source>the document {path} cannot be read</source>
<translation>تتعذر قراءة المستند {path}</translation>
</message>
<message>
<source>the file has wrong rows ({count}), and one that books in or out, or places orders, is imported whole or not at all; nothing was saved</source>
<translation>في الملف صفوف خاطئة ({count})، وملف الإدخال والإخراج أو الطلبات الجديدة يُستورد كاملًا أو لا يُستورد؛ لم يُحفظ شيء</translation>
</message>
<message>
<source>the file holds {found}, not {wanted}; nothing was saved</source>
<translation>يحتوي الملف على {found} وليس {wanted}؛ لم يُحفظ شيء</translation>
</message>
<message>
<source>the file of your changes is damaged: {path}; nothing was changed. `petstore-desktop sync`, or the window, sets it aside and lists what it still tells</source>
<translation>ملف تغييراتك تالف: {path}؛ لم يتغيّر شيء. يضعه الأمر `petstore-desktop sync` أو النافذة جانبًا مع قائمة بما لا يزال مقروءًا فيه</translation>
</message>
<message>
<source>the file of your changes was damaged and is kept as {file}; what was not sent yet ({count}) is listed in {list}, and is not sent by itself: make it again where it is missing</source>
<translation>كان ملف تغييراتك تالفًا وهو محفوظ باسم {file}؛ ما لم يُرسل بعد ({count}) مدرج في {list} ولا يُرسل تلقائيًا: أعد إجراءه حيث ينقص</translation>
</message>
<message>
<source>the file {file} cannot be read; nothing was saved</source>
<translation>تعذرت قراءة الملف {file}؛ لم يُحفظ شيء</translation>
</message>
<message>
<source>the following arguments are required: {names}</source>
<translation>هذه المعطيات ناقصة: {names}</translation>
</message>
<message>
<source>the key contains characters that cannot be sent; nothing was changed</source>
<translation>يحتوي المفتاح على أحرف لا يمكن إرسالها؛ لم يتغير شيء</translation>
</message>
<message>
<source>the key is banned</source>
<translation>المفتاح محظور</translation>
</message>
<message>
<source>the key is longer than 16,384 characters, which no service takes; nothing was changed</source>
<translation>المفتاح أطول من 16384 حرفًا، ولا تقبل أي خدمة ذلك؛ لم يتغير شيء</translation>
</message>
<message>
<source>the key may not do this ({message})</source>
<translation>لا يُسمح لهذا المفتاح بذلك ({message})</translation>
</message>
<message>
<source>the lines that are here</source>
<translation>الأسطر الموجودة هنا</translation>
</message>
<message>
<source>the list does not end: the service announced {total} records, and sent {met}. Reading stopped; the rows that came stay.</source>
<translation>القائمة لا تنتهي: أعلنت الخدمة {total} من السجلات، وأرسلت {met}. توقفت القراءة؛ والصفوف الواصلة باقية.</translation>
</message>
<message>
<source>the list does not end: {met} records came. Reading stopped; these rows stay.</source>
<translation>القائمة لا تنتهي: عدد السجلات الواصلة {met}. توقفت القراءة؛ وهذه الصفوف باقية.</translation>
</message>
<message>
<source>the list may be {what} as well. Choose the list first: File &gt; Operations, or `connect --profile`</source>
<translation>قد تكون القائمة أيضًا {what}. اختر القائمة أولًا: ملف &gt; العمليات، أو `connect --profile`</translation>
</message>
<message>
<source>the minute is used up</source>
<translation>استُنفدت طلبات الدقيقة</translation>
</message>
<message>
<source>the name of one of its fields is a guess. Choose the name under File &gt; Operations &gt; Fields</source>
<translation>اسم أحد حقوله تخمين. اختر الاسم في ملف &gt; العمليات &gt; الحقول</translation>
</message>
<message>
<source>the next refresh waits</source>
<translation>التحديث التالي ينتظر</translation>
</message>
<message>
<source>the next refresh waits ({why})</source>
<translation>التحديث التالي ينتظر ({why})</translation>
</message>
<message>
<source>the numbers can be read in two ways, 1.200 is twelve hundred or 1 and a fraction; nothing was saved. Say how with --numbers point or comma</source>
<translation>يمكن قراءة الأرقام بطريقتين، 1.200 هو ألف ومئتان أو 1 وكسر؛ لم يُحفظ شيء. حدّد ذلك بالخيار --numbers point أو comma</translation>
</message>
<message>
<source>the old value is not known</source>
<translation>القيمة القديمة غير معروفة</translation>
</message>
<message>
<source>the orders</source>
<translation>الطلبيات</translation>
</message>
<message>
<source>the pets</source>
<translation>الحيوانات</translation>
</message>
<message>
<source>the pet’s id</source>
<translation>معرّف الحيوان</translation>
</message>
<message>
<source>the pet’s name, as there is no column with ids</source>
<translation>اسم الحيوان، لعدم وجود عمود للمعرّفات</translation>
</message>
<message>
<source>the plan {plan} has its own limits; --per-minute and --per-day go with --plan enterprise, or with a connection whose plan is not known</source>
<translation>للباقة {plan} حدودها الخاصة؛ ولا يُستخدم الخياران --per-minute و--per-day إلا مع --plan enterprise، أو مع اتصال لا تُعرف باقته</translation>
</message>
<message>
<source>the program is already running on {path}; use its window, or close it first</source>
<translation>البرنامج يعمل بالفعل على {path}؛ استخدم نافذته أو أغلقه أولًا</translation>
</message>
<message>
<source>the program that runs on this data folder has not opened {name}; open it there (Shop &gt; Switch to another shop), or close the program. Nothing was saved</source>
<translation>البرنامج الذي يعمل على مجلد البيانات هذا لم يفتح {name}؛ افتحه هناك (المتجر &gt; التبديل إلى متجر آخر) أو أغلق البرنامج. لم يُحفظ شيء</translation>
</message>
<message>
<source>the program that runs on this data folder is of another version; close it first. Nothing was saved</source>
<translation>البرنامج الذي يعمل على مجلد البيانات هذا من إصدار آخر؛ أغلقه أولًا. لم يُحفظ شيء</translation>
</message>
<message>
<source>the quantity would be larger than a service can hold</source>
<translation>ستكون الكمية أكبر مما يمكن لخدمة حفظه</translation>
</message>
<message>
<source>the record in the answer cannot be read: {why}.</source>
<translation>لا يمكن قراءة السجل الوارد في الرد: {why}.</translation>
</message>
<message>
<source>the record in the service’s answer cannot be read: {why}</source>
<translation>تتعذر قراءة السجل في إجابة الخدمة: {why}</translation>
</message>
<message>
<source>the record is different</source>
<translation>السجل مختلف</translation>
</message>
<message>
<source>the record is gone from the service</source>
<translation>لم يعد السجل موجودًا لدى الخدمة</translation>
</message>
<message>
<source>the record is gone, or the service has removed this</source>
<translation>لم يعد السجل موجودًا، أو أزالت الخدمة هذا</translation>
</message>
<message>
<source>the record that it belongs to was never created</source>
<translation>السجل الذي يتبعه لم يُنشأ قط</translation>
</message>
<message>
<source>the request</source>
<translation>الطلب</translation>
</message>
<message>
<source>the rest of today’s requests is kept for your changes</source>
<translation>ما بقي من طلبات اليوم مخصص لتغييراتك</translation>
</message>
<message>
<source>the service</source>
<translation>الخدمة</translation>
</message>
<message>
<source>the service answered with an error instead of data.</source>
<translation>ردت الخدمة بخطأ بدلًا من البيانات.</translation>
</message>
<message>
<source>the service answered with an error, and nothing was changed</source>
<translation>ردت الخدمة بخطأ، ولم يتغير شيء</translation>
</message>
<message>
<source>the service answered with record {id}, which may have been changed instead. Look at both records</source>
<translation>ردت الخدمة بالسجل {id}، وربما تغيّر بدلًا من هذا السجل. تحقق من السجلين</translation>
</message>
<message>
<source>the service answered with the old value</source>
<translation>ردت الخدمة بالقيمة القديمة</translation>
</message>
<message>
<source>the service answered {status}: {message}</source>
<translation>ردت الخدمة {status}: {message}</translation>
</message>
<message>
<source>the service asked to wait</source>
<translation>طلبت الخدمة الانتظار</translation>
</message>
<message>
<source>the service asks to wait ({message}); nothing more is sent until then</source>
<translation>تطلب الخدمة الانتظار ({message})؛ لا يُرسل شيء آخر حتى ذلك الحين</translation>
</message>
<message>
<source>the service cannot be reached</source>
<translation>يتعذر الوصول إلى الخدمة</translation>
</message>
<message>
<source>the service changed something else as well: {theirs}</source>
<translation>غيّرت الخدمة شيئًا آخر أيضًا: {theirs}</translation>
</message>
<message>
<source>the service did not say that it was done, and nothing was changed</source>
<translation>لم تذكر الخدمة أن ذلك تم، ولم يتغير شيء</translation>
</message>
<message>
<source>the service did only a part of it. Still as before: {theirs}</source>
<translation>نفّذت الخدمة جزءًا منه فقط. ما زال كما كان: {theirs}</translation>
</message>
<message>
<source>the service did something else than was sent with an earlier change of this kind. Decide about that one, or send this again</source>
<translation>في تغيير سابق من هذا النوع، فعلت الخدمة غير ما أُرسل. اتخذ قرارًا بشأنه، أو أعد إرسال هذا التغيير</translation>
</message>
<message>
<source>the service does not accept the key</source>
<translation>لا تقبل الخدمة المفتاح</translation>
</message>
<message>
<source>the service does not show this record, so it cannot be changed safely</source>
<translation>لا تعرض الخدمة هذا السجل، لذا لا يمكن تغييره بأمان</translation>
</message>
<message>
<source>the service emptied what was not to be changed: {theirs}</source>
<translation>أفرغت الخدمة ما لم يكن ينبغي تغييره: {theirs}</translation>
</message>
<message>
<source>the service has no such record</source>
<translation>لا يوجد سجل كهذا لدى الخدمة</translation>
</message>
<message>
<source>the service has removed this</source>
<translation>أزالت الخدمة هذا</translation>
</message>
<message>
<source>the service has something else than was sent: {theirs}</source>
<translation>لدى الخدمة غير ما أُرسل: {theirs}</translation>
</message>
<message>
<source>the service redirected it to {target}, which the program does not follow</source>
<translation>أعادت الخدمة توجيهه إلى {target}، ولا يتبعها البرنامج</translation>
</message>
<message>
<source>the service redirects in a circle; check the address, or ask its provider</source>
<translation>تعيد الخدمة التوجيه في حلقة؛ تحقق من العنوان أو اسأل مزوّدها</translation>
</message>
<message>
<source>the service redirects to {target}; the program does not follow, and neither request nor key went there. If it has moved, give its new address with `connect --url`</source>
<translation>تعيد الخدمة التوجيه إلى {target}؛ لا يتبعه البرنامج، ولم يُرسل إلى هناك الطلب ولا المفتاح. إذا كانت الخدمة قد انتقلت، فحدّد عنوانها الجديد باستخدام `connect --url`</translation>
</message>
<message>
<source>the service redirects, but does not say where to; ask its provider for the new address, and give it with `connect --url`</source>
<translation>تعيد الخدمة التوجيه، لكنها لا تذكر إلى أين؛ اطلب العنوان الجديد من مزوّدها، وحدّده باستخدام `connect --url`</translation>
</message>
<message>
<source>the service rejected the key ({message}); nothing was lost. Give another with `connect --key-stdin`</source>
<translation>رفضت الخدمة المفتاح ({message})؛ لم يُفقد شيء. مرّر مفتاحًا آخر باستخدام `connect --key-stdin`</translation>
</message>
<message>
<source>the service rejected the key in PETSTORE_API_KEY ({message}); nothing was lost. Put another one in that variable, or unset it to use the key in the keyring</source>
<translation>رفضت الخدمة المفتاح في PETSTORE_API_KEY ‏({message})؛ لم يُفقد شيء. ضع مفتاحًا آخر في هذا المتغير، أو احذفه لاستخدام المفتاح في سلسلة المفاتيح</translation>
</message>
<message>
<source>the service rejected the key {key} ({message}); nothing was lost. Give another with `connect --further-key`</source>
<translation>رفضت الخدمة المفتاح {key} ‏({message})؛ لم يُفقد شيء. مرّر مفتاحًا آخر باستخدام `connect --further-key`</translation>
</message>
<message>
<source>the service says that the record is gone, and still shows it</source>
<translation>تقول الخدمة إن السجل لم يعد موجودًا، وما زالت تعرضه</translation>
</message>
<message>
<source>the service sent an empty answer instead of data.</source>
<translation>أرسلت الخدمة ردًا فارغًا بدلًا من البيانات.</translation>
</message>
<message>
<source>the service showed another record than the one asked for</source>
<translation>عرضت الخدمة سجلًا غير المطلوب</translation>
</message>
<message>
<source>the service stopped answering before the answer was complete.</source>
<translation>توقفت الخدمة عن الرد قبل اكتماله.</translation>
</message>
<message>
<source>the service takes no requests just now</source>
<translation>الخدمة لا تقبل الطلبات الآن</translation>
</message>
<message>
<source>the service wants another key too: {key}; give it with `connect --further-key`</source>
<translation>تتطلب الخدمة مفتاحًا آخر أيضًا: {key}؛ مرّره باستخدام `connect --further-key`</translation>
</message>
<message>
<source>the service wants the whole record, and it has not been read yet</source>
<translation>تطلب الخدمة السجل كاملًا، ولم يُقرأ بعد</translation>
</message>
<message>
<source>the service’s answer broke off</source>
<translation>انقطع رد الخدمة</translation>
</message>
<message>
<source>the service’s answer could not be read</source>
<translation>تعذرت قراءة رد الخدمة</translation>
</message>
<message>
<source>the service’s answer could not be read, and nothing was changed</source>
<translation>تعذرت قراءة رد الخدمة، ولم يتغير شيء</translation>
</message>
<message>
<source>the service’s answer held no list</source>
<translation>لم يتضمن رد الخدمة قائمة</translation>
</message>
<message>
<source>the service’s answer was empty</source>
<translation>كان رد الخدمة فارغًا</translation>
</message>
<message>
<source>the service’s answer was too large</source>
<translation>كان رد الخدمة كبيرًا جدًا</translation>
</message>
<message>
<source>the stock</source>
<translation>المخزون</translation>
</message>
<message>
<source>the system’s</source>
<translation>شهادات النظام</translation>
</message>
<message>
<source>the variable PETSTORE_API_KEY</source>
<translation>المتغير PETSTORE_API_KEY</translation>
</message>
<message>
<source>there are changes for the service at {address}, which this connection used before ({count}); they are kept in {path} and are sent when the connection has that address again</source>
<translation>هناك تغييرات للخدمة في {address} التي كان هذا الاتصال يستخدمها سابقًا ({count})؛ وهي محفوظة في {path} وتُرسل عندما يعود الاتصال إلى ذلك العنوان</translation>
</message>
<message>
<source>there is no connection called {name}; `petstore-desktop connections` lists them</source>
<translation>لا يوجد اتصال باسم {name}؛ يسرد الأمر `petstore-desktop connections` الاتصالات الموجودة</translation>
</message>
<message>
<source>there is no connection called {name}; did you mean {alike}? `petstore-desktop connections` lists them</source>
<translation>لا يوجد اتصال باسم {name}؛ هل تقصد {alike}؟ يسرد الأمر `petstore-desktop connections` الاتصالات الموجودة</translation>
</message>
<message>
<source>there is no file {file}; nothing was saved</source>
<translation>لا يوجد ملف {file}؛ لم يُحفظ شيء</translation>
</message>
<message>
<source>there is no file {path}; nothing was changed. Give a file with certificates in PEM form</source>
<translation>الملف {path} غير موجود؛ لم يتغير شيء. حدّد ملف شهادات بصيغة PEM</translation>
</message>
<message>
<source>there is no key for {name}, so nothing was sent</source>
<translation>لا يوجد مفتاح لـ {name}، لذلك لم يُرسل شيء</translation>
</message>
<message>
<source>there is no key for {name}; give it with `petstore-desktop connect {typed} --url {url} --key-stdin`</source>
<translation>لا يوجد مفتاح لـ {name}؛ مرّره باستخدام `petstore-desktop connect {typed} --url {url} --key-stdin`</translation>
</message>
<message>
<source>there is no key that works</source>
<translation>لا يوجد مفتاح صالح</translation>
</message>
<message>
<source>there is no network, or the service is away</source>
<translation>لا توجد شبكة، أو الخدمة غير متاحة</translation>
</message>
<message>
<source>there is no pet {pet}; did you mean {could}?</source>
<translation>لا يوجد الحيوان {pet}؛ هل تقصد {could}؟</translation>
</message>
<message>
<source>there is no pet {pet}; give its id, or its name as it is written in the list</source>
<translation>لا يوجد الحيوان {pet}؛ اكتب معرّفه، أو اسمه كما هو مكتوب في القائمة</translation>
</message>
<message>
<source>there is no profile {path}, and no such file; those that come with the program are called {names}</source>
<translation>لا يوجد ملف تعريف باسم {path}، ولا ملف كهذا؛ أسماء المرفقة بالبرنامج: {names}</translation>
</message>
<message>
<source>there is nothing to decide about it</source>
<translation>لا يوجد ما يتطلب قرارًا بشأنه</translation>
</message>
<message>
<source>there was no look at the record shortly before it, because answers or the limit of requests took too long, and a change by somebody else could have been overwritten. Sent again, it rests on what was last seen</source>
<translation>لم يُقرأ السجل قبله بقليل، لأن الردود أو حدود الطلبات استغرقت وقتًا طويلًا، وكان يمكن أن يُستبدل تغيير من شخص آخر. وإذا أُعيد إرساله فسيستند إلى آخر ما رُصد</translation>
</message>
<message numerus="yes">
<source>these {n} filters</source>
<translation>
<numerusform>عوامل التصفية هذه</numerusform>
<numerusform>عامل التصفية هذا</numerusform>
<numerusform>عاملي التصفية هذين</numerusform>
<numerusform>عوامل التصفية هذه ({n})</numerusform>
<numerusform>عوامل التصفية هذه ({n})</numerusform>
<numerusform>عوامل التصفية هذه ({n})</numerusform>
</translation>
</message>
<message>
<source>they were entered before the program was started; change or remove a line itself</source>
<translation>أُدخلت قبل تشغيل البرنامج؛ غيّر السطر نفسه أو أزله</translation>
</message>
<message>
<source>this address belongs to another server than the service's own; nothing was sent there</source>
<translation>هذا العنوان يخص خادمًا غير خادم الخدمة؛ لم يُرسل شيء إلى هناك</translation>
</message>
<message>
<source>this answer could not be written to standard output ({why})</source>
<translation>تعذرت كتابة هذه الإجابة في الخرج القياسي ({why})</translation>
</message>
<message>
<source>this cannot be understood ({code})</source>
<translation>لا يمكن فهم هذا ({code})</translation>
</message>
<message>
<source>this computer has no keyring that can store a key; nothing was stored, neither key nor connection. Connect without --key-stdin, and give the key in the variable PETSTORE_API_KEY or in the window</source>
<translation>لا توجد على هذا الكمبيوتر سلسلة مفاتيح يمكنها حفظ مفتاح؛ لم يُحفظ شيء، لا المفتاح ولا الاتصال. اتصل من دون --key-stdin، وضع المفتاح في المتغير PETSTORE_API_KEY أو أدخله في النافذة</translation>
</message>
<message>
<source>this service does not bring back what was deleted</source>
<translation>لا تعيد هذه الخدمة ما حُذف</translation>
</message>
<message>
<source>this service does not delete what was created</source>
<translation>لا تحذف هذه الخدمة ما أُنشئ</translation>
</message>
<message>
<source>this service does not offer it</source>
<translation>هذا غير متاح لدى هذه الخدمة</translation>
</message>
<message>
<source>this service does not offer that</source>
<translation>لا تقدّم هذه الخدمة ذلك</translation>
</message>
<message>
<source>this service no longer takes such changes</source>
<translation>لم تعد هذه الخدمة تقبل مثل هذه التغييرات</translation>
</message>
<message>
<source>timed out</source>
<translation>انتهت المهلة</translation>
</message>
<message>
<source>times in {zone}</source>
<translation>الأوقات بتوقيت {zone}</translation>
</message>
<message>
<source>to ship on {day}</source>
<translation>موعد الشحن {day}</translation>
</message>
<message>
<source>today</source>
<translation>اليوم</translation>
</message>
<message>
<source>today</source>
<comment>a ship date</comment>
<translation>اليوم</translation>
</message>
<message>
<source>today   yesterday   tomorrow   this week   last week   next week   this month   last month</source>
<translation>اليوم   أمس   غدًا   هذا الأسبوع   الأسبوع الماضي   الأسبوع القادم   هذا الشهر   الشهر الماضي</translation>
</message>
<message>
<source>today included</source>
<translation>بما فيه اليوم</translation>
</message>
<message>
<source>tomorrow</source>
<comment>a ship date</comment>
<translation>غدًا</translation>
</message>
<message>
<source>too many requests</source>
<translation>طلبات كثيرة جدًا</translation>
</message>
<message>
<source>took too long</source>
<translation>استغرق وقتًا طويلًا</translation>
</message>
<message>
<source>unchanged</source>
<translation>دون تغيير</translation>
</message>
<message>
<source>unclear, read only</source>
<translation>غير واضح، للقراءة فقط</translation>
</message>
<message>
<source>unconfirmed</source>
<translation>غير مؤكد</translation>
</message>
<message>
<source>undone</source>
<translation>تم التراجع عنه</translation>
</message>
<message>
<source>unfreeze unpin unlock frozen panes</source>
<translation>إلغاء تجميد تثبيت قفل أجزاء</translation>
</message>
<message>
<source>unknown</source>
<translation>غير معروف</translation>
</message>
<message>
<source>unknown type</source>
<translation>نوع غير معروف</translation>
</message>
<message>
<source>unrecognized arguments: {words}</source>
<translation>معطيات غير معروفة: {words}</translation>
</message>
<message>
<source>unsent  saved on this computer, not sent</source>
<translation>غير-مرسل  محفوظ على هذا الكمبيوتر، لم يُرسل</translation>
</message>
<message>
<source>until {time}</source>
<translation>حتى {time}</translation>
</message>
<message numerus="yes">
<source>up to {n} requests</source>
<translation>
<numerusform>لا طلبات</numerusform>
<numerusform>طلب واحد على الأكثر</numerusform>
<numerusform>طلبان على الأكثر</numerusform>
<numerusform>{n} طلبات على الأكثر</numerusform>
<numerusform>{n} طلبًا على الأكثر</numerusform>
<numerusform>{n} طلب على الأكثر</numerusform>
</translation>
</message>
<message>
<source>used</source>
<comment>of a place on a sheet of labels</comment>
<translation>مستخدم</translation>
</message>
<message>
<source>various</source>
<comment>several different changes</comment>
<translation>متنوع</translation>
</message>
<message>
<source>verify fresh current now</source>
<translation>تأكد جديد حالي الآن</translation>
</message>
<message>
<source>version licence license information</source>
<translation>إصدار رخصة ترخيص معلومات</translation>
</message>
<message>
<source>versions past earlier audit</source>
<translation>إصدارات ماض سابق تدقيق سجل تاريخ</translation>
</message>
<message>
<source>views</source>
<comment>the name of a file</comment>
<translation>طرق العرض</translation>
</message>
<message>
<source>waiting</source>
<translation>في الانتظار</translation>
</message>
<message>
<source>waits</source>
<translation>في الانتظار</translation>
</message>
<message>
<source>waits ({why})</source>
<translation>ينتظر ({why})</translation>
</message>
<message>
<source>waits for its turn</source>
<translation>ينتظر دوره</translation>
</message>
<message>
<source>waits for its turn, until {time}</source>
<translation>ينتظر دوره حتى {time}</translation>
</message>
<message>
<source>waits for the minute’s requests</source>
<translation>ينتظر طلبات الدقيقة التالية</translation>
</message>
<message>
<source>waits for the minute’s requests, until {time}</source>
<translation>ينتظر طلبات الدقيقة التالية حتى {time}</translation>
</message>
<message>
<source>waits for the next day’s requests</source>
<translation>ينتظر طلبات اليوم التالي</translation>
</message>
<message>
<source>waits for the next day’s requests, until {time}</source>
<translation>ينتظر طلبات اليوم التالي حتى {time}</translation>
</message>
<message>
<source>waits until sending resumes</source>
<translation>ينتظر حتى يُستأنف الإرسال</translation>
</message>
<message>
<source>waits until the service can be reached</source>
<translation>ينتظر حتى يمكن الوصول إلى الخدمة</translation>
</message>
<message>
<source>weekly monthly week month pdf paper printer figures summary statistics</source>
<translation>أسبوعي شهري أسبوع شهر pdf ورق طابعة أرقام ملخص إحصاءات</translation>
</message>
<message>
<source>what is kept on this computer is unchanged</source>
<translation>ما هو محفوظ على هذا الكمبيوتر لم يتغير</translation>
</message>
<message>
<source>what was sent is not what the service shows now, of records: {met}. It said that it did it and did not, or somebody changed them since.</source>
<translation>ما أُرسل ليس ما تعرضه الخدمة الآن، في سجلات عددها: {met}. قالت إنها نفّذته ولم تفعل، أو غيّرها شخص منذ ذلك.</translation>
</message>
<message>
<source>width order default restore</source>
<translation>عرض ترتيب افتراضي استعادة</translation>
</message>
<message>
<source>width resize</source>
<translation>عرض اتساع حجم</translation>
</message>
<message>
<source>with other statuses</source>
<translation>بحالات أخرى</translation>
</message>
<message>
<source>without a name</source>
<translation>بلا اسم</translation>
</message>
<message>
<source>without a status</source>
<translation>بلا حالة</translation>
</message>
<message>
<source>without-category  it has none, or one that does not exist</source>
<translation>بلا-فئة  ليست له فئة، أو فئته غير موجودة</translation>
</message>
<message>
<source>wrong</source>
<translation>خاطئ</translation>
</message>
<message>
<source>yes</source>
<translation>نعم</translation>
</message>
<message>
<source>yesterday</source>
<translation>أمس</translation>
</message>
<message>
<source>yesterday {time}</source>
<translation>أمس {time}</translation>
</message>
<message>
<source>your changes go first</source>
<translation>تغييراتك أولًا</translation>
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
<numerusform>{added}، غير صالح للاستخدام: {n}</numerusform>
<numerusform>{added}، غير صالح للاستخدام: {n}</numerusform>
<numerusform>{added}، غير صالح للاستخدام: {n}</numerusform>
<numerusform>{added}، غير صالح للاستخدام: {n}</numerusform>
<numerusform>{added}، غير صالح للاستخدام: {n}</numerusform>
<numerusform>{added}، غير صالح للاستخدام: {n}</numerusform>
</translation>
</message>
<message>
<source>{address} is not an http(s) address; give the service's base address, such as https://shop.example/v1</source>
<translation>{address} ليس عنوان http(s)؛ حدّد العنوان الأساسي للخدمة، مثل https://shop.example/v1</translation>
</message>
<message>
<source>{alike}, but only by its fields: it is not used unless you choose it.</source>
<translation>{alike}، لكن من حيث الحقول فقط: لن تُستخدم ما لم تخترها.</translation>
</message>
<message>
<source>{answer}, then {why}</source>
<translation>{answer}، ثم {why}</translation>
</message>
<message>
<source>{banned} Your changes are saved on this computer.</source>
<translation>{banned} تغييراتك محفوظة على هذا الكمبيوتر.</translation>
</message>
<message>
<source>{base} at the shop</source>
<translation>{base} لدى المتجر</translation>
</message>
<message>
<source>{before} → {after}</source>
<translation>{before} ← {after}</translation>
</message>
<message numerus="yes">
<source>{bound} of {n} operations can be used.</source>
<translation>
<numerusform>العمليات التي يمكن استخدامها: {bound} من {n}.</numerusform>
<numerusform>العمليات التي يمكن استخدامها: {bound} من {n}.</numerusform>
<numerusform>العمليات التي يمكن استخدامها: {bound} من {n}.</numerusform>
<numerusform>العمليات التي يمكن استخدامها: {bound} من {n}.</numerusform>
<numerusform>العمليات التي يمكن استخدامها: {bound} من {n}.</numerusform>
<numerusform>العمليات التي يمكن استخدامها: {bound} من {n}.</numerusform>
</translation>
</message>
<message>
<source>{category} {n} of {total}</source>
<translation>{category}: {n} من {total}</translation>
</message>
<message>
<source>{category}, {id}</source>
<translation>{category}، {id}</translation>
</message>
<message numerus="yes">
<source>{changes} are not sent yet and will never be.</source>
<translation>
<numerusform>لم يُرسل بعد {changes}، ولن يُرسل أبدًا.</numerusform>
<numerusform>لم يُرسل بعد {changes}، ولن يُرسل أبدًا.</numerusform>
<numerusform>لم يُرسل بعد {changes}، ولن يُرسلا أبدًا.</numerusform>
<numerusform>لم تُرسل بعد {changes}، ولن تُرسل أبدًا.</numerusform>
<numerusform>لم يُرسل بعد {changes}، ولن تُرسل أبدًا.</numerusform>
<numerusform>لم يُرسل بعد {changes}، ولن تُرسل أبدًا.</numerusform>
</translation>
</message>
<message>
<source>{changes} discarded</source>
<translation>تم التجاهل: {changes}</translation>
</message>
<message>
<source>{changes} not sent yet are counted in.</source>
<translation>يشمل ذلك ما لم يُرسل بعد: {changes}.</translation>
</message>
<message>
<source>{changes} sent</source>
<translation>أُرسل: {changes}</translation>
</message>
<message>
<source>{changes} to send</source>
<translation>للإرسال: {changes}</translation>
</message>
<message numerus="yes">
<source>{changes} were not sent.</source>
<translation>
<numerusform>لم يُرسل {changes}.</numerusform>
<numerusform>لم يُرسل {changes}.</numerusform>
<numerusform>لم يُرسل {changes}.</numerusform>
<numerusform>لم تُرسل {changes}.</numerusform>
<numerusform>لم يُرسل {changes}.</numerusform>
<numerusform>لم يُرسل {changes}.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{change} and {n} more changes</source>
<translation>
<numerusform>{change} و{n} من التغييرات الأخرى</numerusform>
<numerusform>{change} وتغيير آخر</numerusform>
<numerusform>{change} وتغييران آخران</numerusform>
<numerusform>{change} و{n} تغييرات أخرى</numerusform>
<numerusform>{change} و{n} تغييرًا آخر</numerusform>
<numerusform>{change} و{n} تغيير آخر</numerusform>
</translation>
</message>
<message>
<source>{change} not sent</source>
<translation>{change} لم يُرسل</translation>
</message>
<message>
<source>{change} since, which stays</source>
<translation>{change} منذ ذلك الحين، ويبقى</translation>
</message>
<message>
<source>{chip} of {record}</source>
<translation>{record}: {chip}</translation>
</message>
<message>
<source>{code} is forgotten</source>
<translation>تم نسيان {code}</translation>
</message>
<message>
<source>{code} is {pet} from now on</source>
<translation>من الآن فصاعدًا {code} هو {pet}</translation>
</message>
<message>
<source>{code}: {pets}</source>
<translation>{code}: {pets}</translation>
</message>
<message>
<source>{column} cannot be edited here.</source>
<translation>لا يمكن تحرير {column} هنا.</translation>
</message>
<message>
<source>{column}: sum {sum}</source>
<translation>{column}: المجموع {sum}</translation>
</message>
<message>
<source>{column}: sum {sum}, {least} to {most}</source>
<translation>{column}: المجموع {sum}، من {least} إلى {most}</translation>
</message>
<message numerus="yes">
<source>{column}: {n} numbers, sum {sum}, least {least}, most {most}</source>
<translation>
<numerusform>{column}: لا أرقام، المجموع {sum}، الأصغر {least}، الأكبر {most}</numerusform>
<numerusform>{column}: رقم واحد، المجموع {sum}، الأصغر {least}، الأكبر {most}</numerusform>
<numerusform>{column}: رقمان، المجموع {sum}، الأصغر {least}، الأكبر {most}</numerusform>
<numerusform>{column}: {n} أرقام، المجموع {sum}، الأصغر {least}، الأكبر {most}</numerusform>
<numerusform>{column}: {n} رقمًا، المجموع {sum}، الأصغر {least}، الأكبر {most}</numerusform>
<numerusform>{column}: {n} رقم، المجموع {sum}، الأصغر {least}، الأكبر {most}</numerusform>
</translation>
</message>
<message>
<source>{column}: {why}</source>
<translation>{column}: {why}</translation>
</message>
<message numerus="yes">
<source>{counts} and {n} others</source>
<translation>
<numerusform>{counts}، غيرها: {n}</numerusform>
<numerusform>{counts}، غيرها: {n}</numerusform>
<numerusform>{counts}، غيرها: {n}</numerusform>
<numerusform>{counts}، غيرها: {n}</numerusform>
<numerusform>{counts}، غيرها: {n}</numerusform>
<numerusform>{counts}، غيرها: {n}</numerusform>
</translation>
</message>
<message>
<source>{count} in stock since {time}, {before} before.</source>
<translation>في المخزون {count} منذ {time}، وقبل ذلك {before}.</translation>
</message>
<message>
<source>{count} in stock since {time}.</source>
<translation>في المخزون {count} منذ {time}.</translation>
</message>
<message>
<source>{count} of {total} changes</source>
<comment>the last line of a file</comment>
<translation>التغييرات: {count} من {total}</translation>
</message>
<message>
<source>{count} pets could be meant by {pet}: {could}; give the id with a # before it</source>
<translation>قد يكون المقصود بـ {pet} أحد {count} من الحيوانات: {could}؛ اكتب المعرّف مسبوقًا بالعلامة #</translation>
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
<translation>{count}، موعد الشحن {day}</translation>
</message>
<message>
<source>{days} late</source>
<translation>التأخير: {days}</translation>
</message>
<message>
<source>{days} {hours}</source>
<translation>{days} و{hours}</translation>
</message>
<message>
<source>{day}   &gt;{day}   {day}..{last}</source>
<translation>‏‎{day}   &gt;{day}   {day}..{last}‎</translation>
</message>
<message numerus="yes">
<source>{day} was {n} days ago.</source>
<translation>
<numerusform>{day} هو اليوم.</numerusform>
<numerusform>{day} كان أمس.</numerusform>
<numerusform>{day} كان قبل يومين.</numerusform>
<numerusform>{day} كان قبل {n} أيام.</numerusform>
<numerusform>{day} كان قبل {n} يومًا.</numerusform>
<numerusform>{day} كان قبل {n} يوم.</numerusform>
</translation>
</message>
<message>
<source>{day} {time}</source>
<translation>{day} {time}</translation>
</message>
<message>
<source>{day}, {distance}</source>
<translation>{day}، {distance}</translation>
</message>
<message>
<source>{day}, {time}</source>
<translation>{day}، {time}</translation>
</message>
<message>
<source>{day}: no orders</source>
<translation>{day}: لا طلبيات</translation>
</message>
<message>
<source>{day}: {counts}</source>
<translation>{day}: {counts}</translation>
</message>
<message numerus="yes">
<source>{done} of {n} labels</source>
<comment>painted</comment>
<translation>
<numerusform>{done} من {n} ملصق</numerusform>
<numerusform>{done} من ملصق واحد</numerusform>
<numerusform>{done} من ملصقين</numerusform>
<numerusform>{done} من {n} ملصقات</numerusform>
<numerusform>{done} من {n} ملصقًا</numerusform>
<numerusform>{done} من {n} ملصق</numerusform>
</translation>
</message>
<message>
<source>{done} of {total}</source>
<translation>{done} من {total}</translation>
</message>
<message>
<source>{done}. Nothing more of this kind is sent until you send this again</source>
<translation>{done}. ولن يُرسل شيء آخر من هذا النوع إلى أن تعيد إرسال هذا التغيير</translation>
</message>
<message>
<source>{endpoint} (careful: {why})</source>
<translation>{endpoint} (انتبه: {why})</translation>
</message>
<message>
<source>{endpoint} looks like {things}</source>
<translation>{endpoint} تشبه {things}</translation>
</message>
<message>
<source>{endpoint} was not taken: {why}.</source>
<translation>لم تُستخدم {endpoint}: {why}.</translation>
</message>
<message>
<source>{field} is {value}</source>
<translation>{field}: {value}</translation>
</message>
<message>
<source>{field} of {record}</source>
<translation>{record}: {field}</translation>
</message>
<message>
<source>{field} of {things} is read as {name}, and written as {written}.</source>
<translation>يُقرأ {field} من {things} باسم {name}، ويُكتب باسم {written}.</translation>
</message>
<message>
<source>{field} of {things} is read from {name}, a guess by its name; choose it in File &gt; Operations to change it.</source>
<translation>{field} في {things}: يُقرأ من {name}، وهو تخمين بحسب الاسم؛ اختره في ملف &gt; العمليات لتتمكن من تغييره.</translation>
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
<translation>{file} (للخدمة في {address})</translation>
</message>
<message>
<source>{file} cannot be read or written.</source>
<translation>لا يمكن قراءة {file} أو الكتابة إليه.</translation>
</message>
<message>
<source>{file} could not be upgraded for this version of the program.</source>
<translation>تعذرت ترقية {file} لهذا الإصدار من البرنامج.</translation>
</message>
<message>
<source>{file} is damaged.</source>
<translation>{file} تالف.</translation>
</message>
<message>
<source>{file} is in use by another program.</source>
<translation>{file} قيد الاستخدام في برنامج آخر.</translation>
</message>
<message>
<source>{file} is not a file: it is a folder, a pipe, a device, or a link that leads nowhere.</source>
<translation>{file} ليس ملفًا: بل هو مجلد أو أنبوب (pipe) أو جهاز أو رابط لا يؤدي إلى شيء.</translation>
</message>
<message>
<source>{file} is not there any more.</source>
<translation>لم يعد {file} موجودًا.</translation>
</message>
<message>
<source>{file} is write-protected.</source>
<translation>{file} محمي ضد الكتابة.</translation>
</message>
<message>
<source>{file} was written by a later version of this program.</source>
<translation>{file} مكتوب بإصدار أحدث من هذا البرنامج.</translation>
</message>
<message>
<source>{filters}: clear all filters.</source>
<translation>{filters}: إزالة كل عوامل التصفية.</translation>
</message>
<message>
<source>{filter}: clear this filter.</source>
<translation>{filter}: إزالة عامل التصفية هذا.</translation>
</message>
<message>
<source>{first} – {last}</source>
<comment>from one day to another</comment>
<translation>{first} – {last}</translation>
</message>
<message>
<source>{found} of {all}</source>
<translation>{all}، يطابق منها {found}</translation>
</message>
<message>
<source>{group}, collapsed</source>
<translation>{group}، مطوية</translation>
</message>
<message>
<source>{group}, expanded</source>
<translation>{group}، موسّعة</translation>
</message>
<message>
<source>{head}, {note}</source>
<translation>{head}، {note}</translation>
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
<numerusform>{head}: {n}</numerusform>
<numerusform>{head}: {n}</numerusform>
<numerusform>{head}: {n}</numerusform>
<numerusform>{head}: {n}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{head}: {n}, {names}</source>
<translation>
<numerusform>{head}: {n}، {names}</numerusform>
<numerusform>{head}: {n}، {names}</numerusform>
<numerusform>{head}: {n}، {names}</numerusform>
<numerusform>{head}: {n}، {names}</numerusform>
<numerusform>{head}: {n}، {names}</numerusform>
<numerusform>{head}: {n}، {names}</numerusform>
</translation>
</message>
<message>
<source>{host} answers without encryption at this port.</source>
<translation>يرد {host} على هذا المنفذ من دون تشفير.</translation>
</message>
<message>
<source>{host} broke off before the connection was secure.</source>
<translation>قطع {host} الاتصال قبل أن يصبح آمنًا.</translation>
</message>
<message>
<source>{host} cannot be looked up: this computer seems to be offline.</source>
<translation>تعذر العثور على {host}: يبدو أن هذا الكمبيوتر دون اتصال.</translation>
</message>
<message>
<source>{host} cannot be reached ({why}); nothing was sent. It is tried again by itself</source>
<translation>يتعذر الوصول إلى {host} ({why})؛ لم يُرسل شيء. تُعاد المحاولة تلقائيًا</translation>
</message>
<message>
<source>{host} cannot be reached.</source>
<translation>تعذر الوصول إلى {host}.</translation>
</message>
<message>
<source>{host} cannot be reached: nothing answers there. It may be down, or the port wrong.</source>
<translation>تعذر الوصول إلى {host}: لا رد من هناك. قد يكون متوقفًا، أو قد يكون المنفذ خاطئًا.</translation>
</message>
<message>
<source>{host} did not answer in time.</source>
<translation>لم يرد {host} في الوقت المحدد.</translation>
</message>
<message>
<source>{host} offers only outdated encryption, which is no longer safe.</source>
<translation>لا يوفر {host} إلا تشفيرًا قديمًا لم يعد آمنًا.</translation>
</message>
<message>
<source>{hours} {minutes}</source>
<translation>{hours} و{minutes}</translation>
</message>
<message>
<source>{job}: {done}</source>
<translation>{job}: {done}</translation>
</message>
<message>
<source>{key} (header {name})</source>
<translation>{key} (الترويسة {name})</translation>
</message>
<message>
<source>{key} (in the address, as {name})</source>
<translation>{key} (في العنوان، باسم {name})</translation>
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
<translation>{labels}، {sheets}</translation>
</message>
<message>
<source>{label}: {text}</source>
<translation>{label}: {text}</translation>
</message>
<message>
<source>{left} left</source>
<translation>المتبقي {left}</translation>
</message>
<message>
<source>{left} left, {ends}</source>
<translation>المتبقي {left}، {ends}</translation>
</message>
<message>
<source>{left} of {limit} are left, for Refresh and Check live.</source>
<translation>المتبقي {left} من {limit}، للتحديث والتحقق المباشر.</translation>
</message>
<message>
<source>{left} of {limit} left</source>
<translation>المتبقي {left} من {limit}</translation>
</message>
<message>
<source>{length} ahead of this computer’s</source>
<translation>متقدمة على ساعة هذا الكمبيوتر ({length})</translation>
</message>
<message>
<source>{length} behind this computer’s</source>
<translation>متأخرة عن ساعة هذا الكمبيوتر ({length})</translation>
</message>
<message>
<source>{length} mm</source>
<translation>{length} مم</translation>
</message>
<message>
<source>{limits}, {scene}.</source>
<translation>{limits}، {scene}.</translation>
</message>
<message>
<source>{limits}.</source>
<translation>{limits}.</translation>
</message>
<message>
<source>{line} · the service counts {counts} {age}</source>
<translation>{line} · لدى الخدمة: {counts}، {age}</translation>
</message>
<message>
<source>{list}, {field}: not found in the service’s records.</source>
<translation>{list}، {field}: غير موجود في سجلات الخدمة.</translation>
</message>
<message>
<source>{list}, {field}: read from {name}, which is a guess. To change it here, choose the name.</source>
<translation>{list}، {field}: يُقرأ من {name}، وهو تخمين. لتغييره هنا، اختر الاسم.</translation>
</message>
<message>
<source>{list}, {field}: read from {name}.</source>
<translation>{list}، {field}: يُقرأ من {name}.</translation>
</message>
<message>
<source>{list}: the program cannot tell which record a change would reach, because {name} can mean two things. A profile settles it.</source>
<translation>{list}: لا يستطيع البرنامج معرفة أي سجل سيصيبه التغيير، لأن {name} قد يعني شيئين. الملف التعريفي يحسم ذلك.</translation>
</message>
<message>
<source>{low} of {total}</source>
<translation>{low} من {total}</translation>
</message>
<message>
<source>{more}: {title}</source>
<translation>{more}: {title}</translation>
</message>
<message>
<source>{names} and {last}</source>
<translation>{names} و{last}</translation>
</message>
<message numerus="yes">
<source>{names} and {n} more</source>
<translation>
<numerusform>{names} و{n} غيرها</numerusform>
<numerusform>{names} و{n} غيرها</numerusform>
<numerusform>{names} و{n} غيرها</numerusform>
<numerusform>{names} و{n} غيرها</numerusform>
<numerusform>{names} و{n} غيرها</numerusform>
<numerusform>{names} و{n} غيرها</numerusform>
</translation>
</message>
<message>
<source>{names} and {n} more categories</source>
<translation>{names} وفئات أخرى عددها {n}</translation>
</message>
<message>
<source>{names}: {said}</source>
<translation>{names}: {said}</translation>
</message>
<message numerus="yes">
<source>{names}; and {n} more</source>
<translation>
<numerusform>{names}؛ و{n} غيرها</numerusform>
<numerusform>{names}؛ و{n} غيرها</numerusform>
<numerusform>{names}؛ و{n} غيرها</numerusform>
<numerusform>{names}؛ و{n} غيرها</numerusform>
<numerusform>{names}؛ و{n} غيرها</numerusform>
<numerusform>{names}؛ و{n} غيرها</numerusform>
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
<translation>{name} موجود بالفعل. اختر اسمًا آخر.</translation>
</message>
<message>
<source>{name} cannot be kept with this value of {what}; nothing was changed</source>
<translation>لا يمكن حفظ {name} بهذه القيمة لـ {what}؛ لم يتغير شيء</translation>
</message>
<message>
<source>{name} has another value for {parameter}, and what is kept of it belongs to that; make a connection of another name</source>
<translation>لدى {name} قيمة أخرى لـ {parameter}، وما هو محفوظ منه يخصها؛ أنشئ اتصالًا باسم آخر</translation>
</message>
<message>
<source>{name} has changes that are not sent yet ({count}); nothing was removed. --yes writes them to a file and forgets {name}</source>
<translation>لدى {name} تغييرات لم تُرسل بعد ({count})؛ لم يُحذف شيء. الخيار --yes يكتبها في ملف وينسى {name}</translation>
</message>
<message>
<source>{name} has changes that wait for {address} ({count}); let them be sent, or forget {name}, before its address is changed</source>
<translation>لدى {name} تغييرات تنتظر {address} ({count})؛ دعها تُرسل، أو انسَ {name}، قبل تغيير عنوانه</translation>
</message>
<message>
<source>{name} has no list of {resource}: its service does not offer one</source>
<translation>ليس لدى {name} قائمة {resource}: لا تقدّمها خدمته</translation>
</message>
<message>
<source>{name} is no status of an order. There are: {known}.</source>
<translation>{name} ليس من أوضاع الطلبيات. الأوضاع هي: {known}.</translation>
</message>
<message>
<source>{name} is not available, pending or sold.</source>
<translation>{name} ليست من الحالات: متاح، محجوز، مباع.</translation>
</message>
<message>
<source>{name} is read-only; nothing was saved. `connect --read-write` ends that</source>
<translation>{name} للقراءة فقط؛ لم يُحفظ شيء. ينهي ذلك `connect --read-write`</translation>
</message>
<message>
<source>{name} was closed in the running program before anything was saved; say it again</source>
<translation>أُغلق {name} في البرنامج قيد التشغيل قبل حفظ أي شيء؛ أعد المحاولة</translation>
</message>
<message>
<source>{name}, view of {list}</source>
<translation>{name}، طريقة عرض: {list}</translation>
</message>
<message>
<source>{name}: in stock {mine} here, {theirs} elsewhere</source>
<translation>{name}: في المخزون {mine} هنا، {theirs} في مكان آخر</translation>
</message>
<message>
<source>{name}: renamed, because its name was taken</source>
<translation>{name}: أُعيدت التسمية، لأن الاسم مستخدم</translation>
</message>
<message>
<source>{name}: {after}, {who}</source>
<translation>{name}: {after}، {who}</translation>
</message>
<message>
<source>{name}: {before} → {after}, {who}</source>
<translation>{name}: {before} ← {after}، {who}</translation>
</message>
<message>
<source>{name}: {lasts}, {gone}</source>
<translation>{name}: {lasts}، {gone}</translation>
</message>
<message>
<source>{name}: {low} of {total} low</source>
<translation>{name}: المنخفض {low} من {total}</translation>
</message>
<message>
<source>{name}: {mine} here, {theirs} elsewhere</source>
<translation>{name}: {mine} هنا، {theirs} في مكان آخر</translation>
</message>
<message>
<source>{now} ({change})</source>
<comment>pieces now, and how many more than before</comment>
<translation>{now} ({change})</translation>
</message>
<message>
<source>{number} s</source>
<comment>seconds</comment>
<translation>{number} ث</translation>
</message>
<message>
<source>{number} typed</source>
<translation>بالكتابة: {number}</translation>
</message>
<message numerus="yes">
<source>{n} already have this value.</source>
<translation>
<numerusform>لها هذه القيمة بالفعل: {n}.</numerusform>
<numerusform>لها هذه القيمة بالفعل: {n}.</numerusform>
<numerusform>لها هذه القيمة بالفعل: {n}.</numerusform>
<numerusform>لها هذه القيمة بالفعل: {n}.</numerusform>
<numerusform>لها هذه القيمة بالفعل: {n}.</numerusform>
<numerusform>لها هذه القيمة بالفعل: {n}.</numerusform>
</translation>
</message>
<message>
<source>{n} are called {name}: a column with ids is needed.</source>
<translation>عدد السجلات التي اسمها {name} هو {n}: يلزم عمود للمعرّفات.</translation>
</message>
<message numerus="yes">
<source>{n} bar codes added</source>
<translation>
<numerusform>لم يُضف أي رمز شريطي</numerusform>
<numerusform>أُضيف رمز شريطي واحد</numerusform>
<numerusform>أُضيف رمزان شريطيان</numerusform>
<numerusform>أُضيفت {n} رموز شريطية</numerusform>
<numerusform>أُضيف {n} رمزًا شريطيًا</numerusform>
<numerusform>أُضيف {n} رمز شريطي</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} bar codes written to {file}</source>
<translation>
<numerusform>لم يُكتب أي رمز شريطي في {file}</numerusform>
<numerusform>كُتب رمز شريطي واحد في {file}</numerusform>
<numerusform>كُتب رمزان شريطيان في {file}</numerusform>
<numerusform>كُتبت {n} رموز شريطية في {file}</numerusform>
<numerusform>كُتب {n} رمزًا شريطيًا في {file}</numerusform>
<numerusform>كُتب {n} رمز شريطي في {file}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} being sent</source>
<translation>
<numerusform>قيد الإرسال: {n}</numerusform>
<numerusform>قيد الإرسال: {n}</numerusform>
<numerusform>قيد الإرسال: {n}</numerusform>
<numerusform>قيد الإرسال: {n}</numerusform>
<numerusform>قيد الإرسال: {n}</numerusform>
<numerusform>قيد الإرسال: {n}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} cannot be redone: {why}</source>
<translation>
<numerusform>لا تمكن إعادة {n}: {why}</numerusform>
<numerusform>لا تمكن إعادة {n}: {why}</numerusform>
<numerusform>لا تمكن إعادة {n}: {why}</numerusform>
<numerusform>لا تمكن إعادة {n}: {why}</numerusform>
<numerusform>لا تمكن إعادة {n}: {why}</numerusform>
<numerusform>لا تمكن إعادة {n}: {why}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} cannot be saved: see the note.</source>
<translation>
<numerusform>لا يمكن حفظ {n}: انظر الملاحظة.</numerusform>
<numerusform>لا يمكن حفظ {n}: انظر الملاحظة.</numerusform>
<numerusform>لا يمكن حفظ {n}: انظر الملاحظة.</numerusform>
<numerusform>لا يمكن حفظ {n}: انظر الملاحظة.</numerusform>
<numerusform>لا يمكن حفظ {n}: انظر الملاحظة.</numerusform>
<numerusform>لا يمكن حفظ {n}: انظر الملاحظة.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} cannot be undone: {why}</source>
<translation>
<numerusform>لا يمكن التراجع عن {n}: {why}</numerusform>
<numerusform>لا يمكن التراجع عن {n}: {why}</numerusform>
<numerusform>لا يمكن التراجع عن {n}: {why}</numerusform>
<numerusform>لا يمكن التراجع عن {n}: {why}</numerusform>
<numerusform>لا يمكن التراجع عن {n}: {why}</numerusform>
<numerusform>لا يمكن التراجع عن {n}: {why}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} categories</source>
<translation>
<numerusform>لا فئات</numerusform>
<numerusform>فئة واحدة</numerusform>
<numerusform>فئتان</numerusform>
<numerusform>{n} فئات</numerusform>
<numerusform>{n} فئة</numerusform>
<numerusform>{n} فئة</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} categories do not exist: {names}.</source>
<translation>
<numerusform>فئات غير موجودة: {names}.</numerusform>
<numerusform>لا توجد الفئة {names}.</numerusform>
<numerusform>فئتان غير موجودتين: {names}.</numerusform>
<numerusform>{n} فئات غير موجودة: {names}.</numerusform>
<numerusform>{n} فئة غير موجودة: {names}.</numerusform>
<numerusform>{n} فئة غير موجودة: {names}.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} categories will be added: {names}.</source>
<translation>
<numerusform>لن تُضاف أي فئات: {names}.</numerusform>
<numerusform>ستُضاف فئة: {names}.</numerusform>
<numerusform>ستُضاف فئتان: {names}.</numerusform>
<numerusform>ستُضاف {n} فئات: {names}.</numerusform>
<numerusform>ستُضاف {n} فئة: {names}.</numerusform>
<numerusform>ستُضاف {n} فئة: {names}.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} cells have values that cannot be saved.</source>
<translation>
<numerusform>كل الخلايا قيمها صالحة.</numerusform>
<numerusform>خلية واحدة فيها قيمة لا يمكن حفظها.</numerusform>
<numerusform>خليتان فيهما قيم لا يمكن حفظها.</numerusform>
<numerusform>{n} خلايا فيها قيم لا يمكن حفظها.</numerusform>
<numerusform>{n} خلية فيها قيم لا يمكن حفظها.</numerusform>
<numerusform>{n} خلية فيها قيم لا يمكن حفظها.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changed meanwhile and are left out: see the note.</source>
<translation>
<numerusform>لم يتغير شيء في هذه الأثناء.</numerusform>
<numerusform>تغيّر واحد في هذه الأثناء واستُبعد: انظر الملاحظة.</numerusform>
<numerusform>تغيّر اثنان في هذه الأثناء واستُبعدا: انظر الملاحظة.</numerusform>
<numerusform>تغيّرت {n} في هذه الأثناء واستُبعدت: انظر الملاحظة.</numerusform>
<numerusform>تغيّرت {n} في هذه الأثناء واستُبعدت: انظر الملاحظة.</numerusform>
<numerusform>تغيّرت {n} في هذه الأثناء واستُبعدت: انظر الملاحظة.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes</source>
<translation>
<numerusform>لا تغييرات</numerusform>
<numerusform>تغيير واحد</numerusform>
<numerusform>تغييران</numerusform>
<numerusform>{n} تغييرات</numerusform>
<numerusform>{n} تغييرًا</numerusform>
<numerusform>{n} تغيير</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes are in {file}</source>
<translation>
<numerusform>لا تغييرات في الملف {file}</numerusform>
<numerusform>تغيير واحد في الملف {file}</numerusform>
<numerusform>تغييران في الملف {file}</numerusform>
<numerusform>{n} تغييرات في الملف {file}</numerusform>
<numerusform>{n} تغييرًا في الملف {file}</numerusform>
<numerusform>{n} تغيير في الملف {file}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes are saved on this computer and stay paused until you resume them.</source>
<translation>
<numerusform>لا تغييرات متوقفة مؤقتًا.</numerusform>
<numerusform>تغيير واحد محفوظ على هذا الكمبيوتر ويبقى متوقفًا مؤقتًا إلى أن تستأنفه.</numerusform>
<numerusform>تغييران محفوظان على هذا الكمبيوتر ويبقيان متوقفين مؤقتًا إلى أن تستأنفهما.</numerusform>
<numerusform>{n} تغييرات محفوظة على هذا الكمبيوتر وتبقى متوقفة مؤقتًا إلى أن تستأنفها.</numerusform>
<numerusform>{n} تغييرًا محفوظة على هذا الكمبيوتر وتبقى متوقفة مؤقتًا إلى أن تستأنفها.</numerusform>
<numerusform>{n} تغيير محفوظة على هذا الكمبيوتر وتبقى متوقفة مؤقتًا إلى أن تستأنفها.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes are saved on this computer.</source>
<translation>
<numerusform>لا تغييرات محفوظة على هذا الكمبيوتر.</numerusform>
<numerusform>تغيير واحد محفوظ على هذا الكمبيوتر.</numerusform>
<numerusform>تغييران محفوظان على هذا الكمبيوتر.</numerusform>
<numerusform>{n} تغييرات محفوظة على هذا الكمبيوتر.</numerusform>
<numerusform>{n} تغييرًا محفوظة على هذا الكمبيوتر.</numerusform>
<numerusform>{n} تغيير محفوظة على هذا الكمبيوتر.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes need attention</source>
<translation>
<numerusform>لا تغيير يتطلب الانتباه</numerusform>
<numerusform>تغيير واحد يتطلب الانتباه</numerusform>
<numerusform>تغييران يتطلبان الانتباه</numerusform>
<numerusform>{n} تغييرات تتطلب الانتباه</numerusform>
<numerusform>{n} تغييرًا تتطلب الانتباه</numerusform>
<numerusform>{n} تغيير تتطلب الانتباه</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes of a rehearsal wait to be looked at.</source>
<translation>
<numerusform>لا تغييرات من محاكاة تنتظر نظرك.</numerusform>
<numerusform>تغيير واحد من محاكاة ينتظر نظرك.</numerusform>
<numerusform>تغييران من محاكاة ينتظران نظرك.</numerusform>
<numerusform>{n} تغييرات من محاكاة تنتظر نظرك.</numerusform>
<numerusform>{n} تغييرًا من محاكاة تنتظر نظرك.</numerusform>
<numerusform>{n} تغيير من محاكاة تنتظر نظرك.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes saved on this computer and not sent; they go out with the next `petstore-desktop sync`, import or booking, or while the window is open</source>
<translation>
<numerusform>لا تغييرات محفوظة على هذا الكمبيوتر دون إرسال</numerusform>
<numerusform>تغيير واحد محفوظ على هذا الكمبيوتر ولم يُرسل؛ سيُرسل مع `petstore-desktop sync` أو الاستيراد أو القيد التالي، أو ما دامت النافذة مفتوحة</numerusform>
<numerusform>تغييران محفوظان على هذا الكمبيوتر ولم يُرسلا؛ سيُرسلان مع `petstore-desktop sync` أو الاستيراد أو القيد التالي، أو ما دامت النافذة مفتوحة</numerusform>
<numerusform>{n} تغييرات محفوظة على هذا الكمبيوتر ولم تُرسل؛ ستُرسل مع `petstore-desktop sync` أو الاستيراد أو القيد التالي، أو ما دامت النافذة مفتوحة</numerusform>
<numerusform>{n} تغييرًا محفوظًا على هذا الكمبيوتر ولم يُرسل؛ سيُرسل مع `petstore-desktop sync` أو الاستيراد أو القيد التالي، أو ما دامت النافذة مفتوحة</numerusform>
<numerusform>{n} تغيير محفوظ على هذا الكمبيوتر ولم يُرسل؛ سيُرسل مع `petstore-desktop sync` أو الاستيراد أو القيد التالي، أو ما دامت النافذة مفتوحة</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes that were refused or in conflict there are not kept.</source>
<translation>
<numerusform>لا تغيير مرفوض أو متعارض هناك.</numerusform>
<numerusform>تغيير واحد رُفض أو تعارض هناك، ولا يُحتفظ به.</numerusform>
<numerusform>تغييران رُفضا أو تعارضا هناك، ولا يُحتفظ بهما.</numerusform>
<numerusform>{n} تغييرات رُفضت أو تعارضت هناك، ولا يُحتفظ بها.</numerusform>
<numerusform>{n} تغييرًا رُفضت أو تعارضت هناك، ولا يُحتفظ بها.</numerusform>
<numerusform>{n} تغيير رُفضت أو تعارضت هناك، ولا يُحتفظ بها.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes wait, all saved on this computer.</source>
<translation>
<numerusform>لا تغييرات تنتظر.</numerusform>
<numerusform>تغيير واحد ينتظر، محفوظ على هذا الكمبيوتر.</numerusform>
<numerusform>تغييران ينتظران، كلاهما محفوظ على هذا الكمبيوتر.</numerusform>
<numerusform>{n} تغييرات تنتظر، كلها محفوظة على هذا الكمبيوتر.</numerusform>
<numerusform>{n} تغييرًا تنتظر، كلها محفوظة على هذا الكمبيوتر.</numerusform>
<numerusform>{n} تغيير تنتظر، كلها محفوظة على هذا الكمبيوتر.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes were made for the service at {address}, which this connection used before.</source>
<translation>
<numerusform>لم تُجرَ تغييرات للخدمة في {address} التي كان هذا الاتصال يستخدمها سابقًا.</numerusform>
<numerusform>أُجري تغيير واحد للخدمة في {address} التي كان هذا الاتصال يستخدمها سابقًا.</numerusform>
<numerusform>أُجري تغييران للخدمة في {address} التي كان هذا الاتصال يستخدمها سابقًا.</numerusform>
<numerusform>أُجريت {n} تغييرات للخدمة في {address} التي كان هذا الاتصال يستخدمها سابقًا.</numerusform>
<numerusform>أُجري {n} تغييرًا للخدمة في {address} التي كان هذا الاتصال يستخدمها سابقًا.</numerusform>
<numerusform>أُجري {n} تغيير للخدمة في {address} التي كان هذا الاتصال يستخدمها سابقًا.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} codes are unknown.</source>
<translation>
<numerusform>الرموز غير المعروفة: {n}.</numerusform>
<numerusform>الرموز غير المعروفة: {n}.</numerusform>
<numerusform>الرموز غير المعروفة: {n}.</numerusform>
<numerusform>الرموز غير المعروفة: {n}.</numerusform>
<numerusform>الرموز غير المعروفة: {n}.</numerusform>
<numerusform>الرموز غير المعروفة: {n}.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} codes have no room on their label.</source>
<translation>
<numerusform>كل الرموز لها متسع.</numerusform>
<numerusform>رمز واحد لا متسع له على ملصقه.</numerusform>
<numerusform>رمزان لا متسع لهما على ملصقيهما.</numerusform>
<numerusform>{n} رموز لا متسع لها على ملصقاتها.</numerusform>
<numerusform>{n} رمزًا لا متسع لها على ملصقاتها.</numerusform>
<numerusform>{n} رمز لا متسع لها على ملصقاتها.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} columns beyond the last are left out.</source>
<translation>
<numerusform>لم يُستبعد أي عمود بعد الأخير.</numerusform>
<numerusform>استُبعد عمود واحد بعد الأخير.</numerusform>
<numerusform>استُبعد عمودان بعد الأخير.</numerusform>
<numerusform>استُبعدت {n} أعمدة بعد الأخير.</numerusform>
<numerusform>استُبعد {n} عمودًا بعد الأخير.</numerusform>
<numerusform>استُبعد {n} عمود بعد الأخير.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} come back with new ids</source>
<translation>
<numerusform>لا يعود شيء بمعرّف جديد</numerusform>
<numerusform>يعود واحد بمعرّف جديد</numerusform>
<numerusform>يعود اثنان بمعرّفين جديدين</numerusform>
<numerusform>تعود {n} بمعرّفات جديدة</numerusform>
<numerusform>تعود {n} بمعرّفات جديدة</numerusform>
<numerusform>تعود {n} بمعرّفات جديدة</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} come back with new ids and without their stock</source>
<translation>
<numerusform>لا يعود شيء بمعرّف جديد</numerusform>
<numerusform>يعود واحد بمعرّف جديد ومن دون مخزونه</numerusform>
<numerusform>يعود اثنان بمعرّفين جديدين ومن دون مخزونهما</numerusform>
<numerusform>تعود {n} بمعرّفات جديدة ومن دون مخزونها</numerusform>
<numerusform>تعود {n} بمعرّفات جديدة ومن دون مخزونها</numerusform>
<numerusform>تعود {n} بمعرّفات جديدة ومن دون مخزونها</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} complete</source>
<translation>
<numerusform>مكتملة: {n}</numerusform>
<numerusform>مكتملة: {n}</numerusform>
<numerusform>مكتملة: {n}</numerusform>
<numerusform>مكتملة: {n}</numerusform>
<numerusform>مكتملة: {n}</numerusform>
<numerusform>مكتملة: {n}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} completed</source>
<comment>after a number of orders placed</comment>
<translation>
<numerusform>المكتملة: {n}</numerusform>
<numerusform>المكتملة: {n}</numerusform>
<numerusform>المكتملة: {n}</numerusform>
<numerusform>المكتملة: {n}</numerusform>
<numerusform>المكتملة: {n}</numerusform>
<numerusform>المكتملة: {n}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} conflicts</source>
<translation>
<numerusform>لا تعارضات</numerusform>
<numerusform>تعارض واحد</numerusform>
<numerusform>تعارضان</numerusform>
<numerusform>{n} تعارضات</numerusform>
<numerusform>{n} تعارضًا</numerusform>
<numerusform>{n} تعارض</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} counted pets have no stock entry, and are not booked.</source>
<translation>
<numerusform>لكل حيوان معدود قيد مخزون.</numerusform>
<numerusform>حيوان معدود واحد بلا قيد مخزون، ولا يُرحّل.</numerusform>
<numerusform>حيوانان معدودان بلا قيد مخزون، ولا يُرحّلان.</numerusform>
<numerusform>{n} حيوانات معدودة بلا قيد مخزون، ولا تُرحّل.</numerusform>
<numerusform>{n} حيوانًا معدودًا بلا قيد مخزون، ولا تُرحّل.</numerusform>
<numerusform>{n} حيوان معدود بلا قيد مخزون، ولا تُرحّل.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} days</source>
<translation>
<numerusform>{n} يوم</numerusform>
<numerusform>يوم واحد</numerusform>
<numerusform>يومان</numerusform>
<numerusform>{n} أيام</numerusform>
<numerusform>{n} يومًا</numerusform>
<numerusform>{n} يوم</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} days ago</source>
<translation>
<numerusform>اليوم</numerusform>
<numerusform>منذ يوم</numerusform>
<numerusform>منذ يومين</numerusform>
<numerusform>منذ {n} أيام</numerusform>
<numerusform>منذ {n} يومًا</numerusform>
<numerusform>منذ {n} يوم</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} days late</source>
<translation>
<numerusform>غير متأخرة</numerusform>
<numerusform>متأخرة يومًا واحدًا</numerusform>
<numerusform>متأخرة يومين</numerusform>
<numerusform>متأخرة {n} أيام</numerusform>
<numerusform>متأخرة {n} يومًا</numerusform>
<numerusform>متأخرة {n} يوم</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} decided</source>
<translation>
<numerusform>لا قرارات</numerusform>
<numerusform>تم اتخاذ القرار</numerusform>
<numerusform>تم اتخاذ قرارين</numerusform>
<numerusform>تم اتخاذ {n} قرارات</numerusform>
<numerusform>تم اتخاذ {n} قرارًا</numerusform>
<numerusform>تم اتخاذ {n} قرار</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} decided: yours are discarded</source>
<translation>
<numerusform>لا قرارات</numerusform>
<numerusform>تم اتخاذ القرار: يتم تجاهل تغييرك</numerusform>
<numerusform>تم اتخاذ قرارين: يتم تجاهل تغييريك</numerusform>
<numerusform>تم اتخاذ {n} قرارات: يتم تجاهل تغييراتك</numerusform>
<numerusform>تم اتخاذ {n} قرارًا: يتم تجاهل تغييراتك</numerusform>
<numerusform>تم اتخاذ {n} قرار: يتم تجاهل تغييراتك</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} decided: yours are sent again</source>
<translation>
<numerusform>لا قرارات</numerusform>
<numerusform>تم اتخاذ القرار: يُعاد إرسال تغييرك</numerusform>
<numerusform>تم اتخاذ قرارين: يُعاد إرسال تغييريك</numerusform>
<numerusform>تم اتخاذ {n} قرارات: يُعاد إرسال تغييراتك</numerusform>
<numerusform>تم اتخاذ {n} قرارًا: يُعاد إرسال تغييراتك</numerusform>
<numerusform>تم اتخاذ {n} قرار: يُعاد إرسال تغييراتك</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} differ.</source>
<translation>
<numerusform>المختلف: {n}.</numerusform>
<numerusform>المختلف: {n}.</numerusform>
<numerusform>المختلف: {n}.</numerusform>
<numerusform>المختلف: {n}.</numerusform>
<numerusform>المختلف: {n}.</numerusform>
<numerusform>المختلف: {n}.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} discarded</source>
<translation>
<numerusform>تم تجاهله: {n}</numerusform>
<numerusform>تم تجاهله: {n}</numerusform>
<numerusform>تم تجاهله: {n}</numerusform>
<numerusform>تم تجاهله: {n}</numerusform>
<numerusform>تم تجاهله: {n}</numerusform>
<numerusform>تم تجاهله: {n}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} due today</source>
<translation>
<numerusform>موعدها اليوم: {n}</numerusform>
<numerusform>موعدها اليوم: {n}</numerusform>
<numerusform>موعدها اليوم: {n}</numerusform>
<numerusform>موعدها اليوم: {n}</numerusform>
<numerusform>موعدها اليوم: {n}</numerusform>
<numerusform>موعدها اليوم: {n}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} elsewhere</source>
<translation>
<numerusform>خارجيًا: {n}</numerusform>
<numerusform>خارجيًا: {n}</numerusform>
<numerusform>خارجيًا: {n}</numerusform>
<numerusform>خارجيًا: {n}</numerusform>
<numerusform>خارجيًا: {n}</numerusform>
<numerusform>خارجيًا: {n}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} empty cells are left out.</source>
<translation>
<numerusform>لم تُستبعد أي خلية فارغة.</numerusform>
<numerusform>استُبعدت خلية فارغة واحدة.</numerusform>
<numerusform>استُبعدت خليتان فارغتان.</numerusform>
<numerusform>استُبعدت {n} خلايا فارغة.</numerusform>
<numerusform>استُبعدت {n} خلية فارغة.</numerusform>
<numerusform>استُبعدت {n} خلية فارغة.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} filters</source>
<translation>
<numerusform>لا عوامل تصفية</numerusform>
<numerusform>عامل تصفية واحد</numerusform>
<numerusform>عاملا تصفية</numerusform>
<numerusform>{n} عوامل تصفية</numerusform>
<numerusform>{n} عامل تصفية</numerusform>
<numerusform>{n} عامل تصفية</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} follow when the service has answered</source>
<translation>
<numerusform>يتبع عندما ترد الخدمة: {n}</numerusform>
<numerusform>يتبع عندما ترد الخدمة: {n}</numerusform>
<numerusform>يتبع عندما ترد الخدمة: {n}</numerusform>
<numerusform>يتبع عندما ترد الخدمة: {n}</numerusform>
<numerusform>يتبع عندما ترد الخدمة: {n}</numerusform>
<numerusform>يتبع عندما ترد الخدمة: {n}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} further changes are saved with them: deletions, and stock of new pets.</source>
<translation>
<numerusform>لا تغييرات أخرى تُحفظ معها.</numerusform>
<numerusform>يُحفظ معها تغيير آخر: حذف، أو مخزون حيوان جديد.</numerusform>
<numerusform>يُحفظ معها تغييران آخران: عمليات حذف، ومخزون حيوانات جديدة.</numerusform>
<numerusform>تُحفظ معها {n} تغييرات أخرى: عمليات حذف، ومخزون حيوانات جديدة.</numerusform>
<numerusform>يُحفظ معها {n} تغييرًا آخر: عمليات حذف، ومخزون حيوانات جديدة.</numerusform>
<numerusform>يُحفظ معها {n} تغيير آخر: عمليات حذف، ومخزون حيوانات جديدة.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} gone</source>
<comment>records that are no longer there</comment>
<translation>
<numerusform>لم يعد موجودًا: {n}</numerusform>
<numerusform>لم يعد موجودًا: {n}</numerusform>
<numerusform>لم يعد موجودًا: {n}</numerusform>
<numerusform>لم يعد موجودًا: {n}</numerusform>
<numerusform>لم يعد موجودًا: {n}</numerusform>
<numerusform>لم يعد موجودًا: {n}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} gone in {days}, {left} in stock</source>
<translation>
<numerusform>خرج {n} ({days})، وفي المخزون {left}</numerusform>
<numerusform>خرج {n} ({days})، وفي المخزون {left}</numerusform>
<numerusform>خرج {n} ({days})، وفي المخزون {left}</numerusform>
<numerusform>خرج {n} ({days})، وفي المخزون {left}</numerusform>
<numerusform>خرج {n} ({days})، وفي المخزون {left}</numerusform>
<numerusform>خرج {n} ({days})، وفي المخزون {left}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} h</source>
<translation>
<numerusform>{n} س</numerusform>
<numerusform>{n} س</numerusform>
<numerusform>{n} س</numerusform>
<numerusform>{n} س</numerusform>
<numerusform>{n} س</numerusform>
<numerusform>{n} س</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} have open orders, which stay as they are.</source>
<translation>
<numerusform>لها طلبيات مفتوحة، تبقى كما هي: {n}.</numerusform>
<numerusform>لها طلبيات مفتوحة، تبقى كما هي: {n}.</numerusform>
<numerusform>لها طلبيات مفتوحة، تبقى كما هي: {n}.</numerusform>
<numerusform>لها طلبيات مفتوحة، تبقى كما هي: {n}.</numerusform>
<numerusform>لها طلبيات مفتوحة، تبقى كما هي: {n}.</numerusform>
<numerusform>لها طلبيات مفتوحة، تبقى كما هي: {n}.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} here</source>
<translation>
<numerusform>هنا: {n}</numerusform>
<numerusform>هنا: {n}</numerusform>
<numerusform>هنا: {n}</numerusform>
<numerusform>هنا: {n}</numerusform>
<numerusform>هنا: {n}</numerusform>
<numerusform>هنا: {n}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} here and elsewhere</source>
<translation>
<numerusform>هنا وخارجيًا: {n}</numerusform>
<numerusform>هنا وخارجيًا: {n}</numerusform>
<numerusform>هنا وخارجيًا: {n}</numerusform>
<numerusform>هنا وخارجيًا: {n}</numerusform>
<numerusform>هنا وخارجيًا: {n}</numerusform>
<numerusform>هنا وخارجيًا: {n}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} ids have signs that Code 128 does not have: no code there. Choose QR.</source>
<translation>
<numerusform>كل المعرّفات لها رمز.</numerusform>
<numerusform>معرّف واحد فيه علامات لا يدعمها Code 128: لا رمز له. اختر QR.</numerusform>
<numerusform>معرّفان فيهما علامات لا يدعمها Code 128: لا رمز لهما. اختر QR.</numerusform>
<numerusform>{n} معرّفات فيها علامات لا يدعمها Code 128: لا رمز لها. اختر QR.</numerusform>
<numerusform>{n} معرّفًا فيها علامات لا يدعمها Code 128: لا رمز لها. اختر QR.</numerusform>
<numerusform>{n} معرّف فيها علامات لا يدعمها Code 128: لا رمز لها. اختر QR.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} in conflict</source>
<translation>
<numerusform>متعارض: {n}</numerusform>
<numerusform>متعارض: {n}</numerusform>
<numerusform>متعارض: {n}</numerusform>
<numerusform>متعارض: {n}</numerusform>
<numerusform>متعارض: {n}</numerusform>
<numerusform>متعارض: {n}</numerusform>
</translation>
</message>
<message>
<source>{n} in stock</source>
<translation>في المخزون {n}</translation>
</message>
<message numerus="yes">
<source>{n} labels are in {file}</source>
<translation>
<numerusform>لا ملصقات في الملف {file}</numerusform>
<numerusform>ملصق واحد في الملف {file}</numerusform>
<numerusform>ملصقان في الملف {file}</numerusform>
<numerusform>{n} ملصقات في الملف {file}</numerusform>
<numerusform>{n} ملصقًا في الملف {file}</numerusform>
<numerusform>{n} ملصق في الملف {file}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} labels for {pets}</source>
<translation>
<numerusform>لا ملصقات ({pets})</numerusform>
<numerusform>ملصق واحد ({pets})</numerusform>
<numerusform>ملصقان ({pets})</numerusform>
<numerusform>{n} ملصقات ({pets})</numerusform>
<numerusform>{n} ملصقًا ({pets})</numerusform>
<numerusform>{n} ملصق ({pets})</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} labels here, {after} after it.</source>
<comment>on a sheet</comment>
<translation>
<numerusform>لا ملصقات هنا، وبعدها {after}.</numerusform>
<numerusform>ملصق واحد هنا، وبعده {after}.</numerusform>
<numerusform>ملصقان هنا، وبعدهما {after}.</numerusform>
<numerusform>{n} ملصقات هنا، وبعدها {after}.</numerusform>
<numerusform>{n} ملصقًا هنا، وبعدها {after}.</numerusform>
<numerusform>{n} ملصق هنا، وبعدها {after}.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} labels here.</source>
<comment>on a sheet</comment>
<translation>
<numerusform>لا ملصقات هنا.</numerusform>
<numerusform>ملصق واحد هنا.</numerusform>
<numerusform>ملصقان هنا.</numerusform>
<numerusform>{n} ملصقات هنا.</numerusform>
<numerusform>{n} ملصقًا هنا.</numerusform>
<numerusform>{n} ملصق هنا.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} labels sent to the printer</source>
<translation>
<numerusform>لم تُرسل ملصقات إلى الطابعة</numerusform>
<numerusform>أُرسل ملصق واحد إلى الطابعة</numerusform>
<numerusform>أُرسل ملصقان إلى الطابعة</numerusform>
<numerusform>أُرسلت {n} ملصقات إلى الطابعة</numerusform>
<numerusform>أُرسل {n} ملصقًا إلى الطابعة</numerusform>
<numerusform>أُرسل {n} ملصق إلى الطابعة</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} lines are not ticked, because their stock may have changed before they were counted: recount, or decide.</source>
<translation>
<numerusform>لا أسطر غير محددة.</numerusform>
<numerusform>سطر واحد غير محدد، لأن مخزونه ربما تغيّر قبل عدّه: أعد العدّ أو قرّر.</numerusform>
<numerusform>سطران غير محددين، لأن مخزونهما ربما تغيّر قبل عدّهما: أعد العدّ أو قرّر.</numerusform>
<numerusform>{n} أسطر غير محددة، لأن مخزونها ربما تغيّر قبل عدّها: أعد العدّ أو قرّر.</numerusform>
<numerusform>{n} سطرًا غير محددة، لأن مخزونها ربما تغيّر قبل عدّها: أعد العدّ أو قرّر.</numerusform>
<numerusform>{n} سطر غير محددة، لأن مخزونها ربما تغيّر قبل عدّها: أعد العدّ أو قرّر.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} min</source>
<translation>
<numerusform>{n} د</numerusform>
<numerusform>{n} د</numerusform>
<numerusform>{n} د</numerusform>
<numerusform>{n} د</numerusform>
<numerusform>{n} د</numerusform>
<numerusform>{n} د</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} more</source>
<translation>
<numerusform>المزيد ({n})</numerusform>
<numerusform>المزيد ({n})</numerusform>
<numerusform>المزيد ({n})</numerusform>
<numerusform>المزيد ({n})</numerusform>
<numerusform>المزيد ({n})</numerusform>
<numerusform>المزيد ({n})</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} more requests may be sent this minute.</source>
<translation>
<numerusform>لا يمكن إرسال طلبات أخرى في هذه الدقيقة.</numerusform>
<numerusform>يمكن إرسال طلب واحد آخر في هذه الدقيقة.</numerusform>
<numerusform>يمكن إرسال طلبين آخرين في هذه الدقيقة.</numerusform>
<numerusform>يمكن إرسال {n} طلبات أخرى في هذه الدقيقة.</numerusform>
<numerusform>يمكن إرسال {n} طلبًا آخر في هذه الدقيقة.</numerusform>
<numerusform>يمكن إرسال {n} طلب آخر في هذه الدقيقة.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} more requests may be sent today.</source>
<translation>
<numerusform>لا يمكن إرسال طلبات أخرى اليوم.</numerusform>
<numerusform>يمكن إرسال طلب واحد آخر اليوم.</numerusform>
<numerusform>يمكن إرسال طلبين آخرين اليوم.</numerusform>
<numerusform>يمكن إرسال {n} طلبات أخرى اليوم.</numerusform>
<numerusform>يمكن إرسال {n} طلبًا آخر اليوم.</numerusform>
<numerusform>يمكن إرسال {n} طلب آخر اليوم.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} ms</source>
<translation>
<numerusform>{n} م.ث</numerusform>
<numerusform>{n} م.ث</numerusform>
<numerusform>{n} م.ث</numerusform>
<numerusform>{n} م.ث</numerusform>
<numerusform>{n} م.ث</numerusform>
<numerusform>{n} م.ث</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} names are too long, and are cut. Choose larger labels.</source>
<translation>
<numerusform>لا أسماء طويلة.</numerusform>
<numerusform>اسم واحد أطول من اللازم، وقد اقتُطع. اختر ملصقات أكبر.</numerusform>
<numerusform>اسمان أطول من اللازم، وقد اقتُطعا. اختر ملصقات أكبر.</numerusform>
<numerusform>{n} أسماء أطول من اللازم، وقد اقتُطعت. اختر ملصقات أكبر.</numerusform>
<numerusform>{n} اسمًا أطول من اللازم، وقد اقتُطعت. اختر ملصقات أكبر.</numerusform>
<numerusform>{n} اسم أطول من اللازم، وقد اقتُطعت. اختر ملصقات أكبر.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} need attention</source>
<translation>
<numerusform>يتطلب الانتباه: {n}</numerusform>
<numerusform>يتطلب الانتباه: {n}</numerusform>
<numerusform>يتطلب الانتباه: {n}</numerusform>
<numerusform>يتطلب الانتباه: {n}</numerusform>
<numerusform>يتطلب الانتباه: {n}</numerusform>
<numerusform>يتطلب الانتباه: {n}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} new orders</source>
<translation>
<numerusform>لا طلبيات جديدة</numerusform>
<numerusform>طلبية جديدة</numerusform>
<numerusform>طلبيتان جديدتان</numerusform>
<numerusform>{n} طلبيات جديدة</numerusform>
<numerusform>{n} طلبية جديدة</numerusform>
<numerusform>{n} طلبية جديدة</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} new pets</source>
<translation>
<numerusform>لا حيوانات جديدة</numerusform>
<numerusform>حيوان جديد</numerusform>
<numerusform>حيوانان جديدان</numerusform>
<numerusform>{n} حيوانات جديدة</numerusform>
<numerusform>{n} حيوانًا جديدًا</numerusform>
<numerusform>{n} حيوان جديد</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} new pets have a stock. You can book it once the service has created them.</source>
<translation>
<numerusform>لا حيوان جديد له مخزون.</numerusform>
<numerusform>حيوان جديد واحد له مخزون. يمكنك ترحيله بعد أن تُنشئ الخدمة الحيوان.</numerusform>
<numerusform>حيوانان جديدان لهما مخزون. يمكنك ترحيله بعد أن تُنشئهما الخدمة.</numerusform>
<numerusform>{n} حيوانات جديدة لها مخزون. يمكنك ترحيله بعد أن تُنشئها الخدمة.</numerusform>
<numerusform>{n} حيوانًا جديدًا لها مخزون. يمكنك ترحيله بعد أن تُنشئها الخدمة.</numerusform>
<numerusform>{n} حيوان جديد لها مخزون. يمكنك ترحيله بعد أن تُنشئها الخدمة.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} of them cannot be read; the list has what is left of them.</source>
<translation>
<numerusform>كلها مقروءة.</numerusform>
<numerusform>واحد منها لا يمكن قراءته؛ وفي القائمة ما بقي منه.</numerusform>
<numerusform>اثنان منها لا يمكن قراءتهما؛ وفي القائمة ما بقي منهما.</numerusform>
<numerusform>{n} منها لا يمكن قراءتها؛ وفي القائمة ما بقي منها.</numerusform>
<numerusform>{n} منها لا يمكن قراءتها؛ وفي القائمة ما بقي منها.</numerusform>
<numerusform>{n} منها لا يمكن قراءتها؛ وفي القائمة ما بقي منها.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} of them undone</source>
<translation>
<numerusform>تم التراجع عن {n} منها</numerusform>
<numerusform>تم التراجع عن {n} منها</numerusform>
<numerusform>تم التراجع عن {n} منها</numerusform>
<numerusform>تم التراجع عن {n} منها</numerusform>
<numerusform>تم التراجع عن {n} منها</numerusform>
<numerusform>تم التراجع عن {n} منها</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} of {total} are left out.</source>
<translation>
<numerusform>المستبعد: {n} من {total}.</numerusform>
<numerusform>المستبعد: {n} من {total}.</numerusform>
<numerusform>المستبعد: {n} من {total}.</numerusform>
<numerusform>المستبعد: {n} من {total}.</numerusform>
<numerusform>المستبعد: {n} من {total}.</numerusform>
<numerusform>المستبعد: {n} من {total}.</numerusform>
</translation>
</message>
<message>
<source>{n} of {total} counted</source>
<translation>تم عدّ {n} من {total}</translation>
</message>
<message>
<source>{n} of {total} counted.</source>
<translation>تم عدّ {n} من {total}.</translation>
</message>
<message numerus="yes">
<source>{n} of {total} selected</source>
<translation>
<numerusform>المحدد {n} من {total}</numerusform>
<numerusform>المحدد {n} من {total}</numerusform>
<numerusform>المحدد {n} من {total}</numerusform>
<numerusform>المحدد {n} من {total}</numerusform>
<numerusform>المحدد {n} من {total}</numerusform>
<numerusform>المحدد {n} من {total}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} on order.</source>
<translation>
<numerusform>المطلوب في الطلبيات {n}.</numerusform>
<numerusform>المطلوب في الطلبيات {n}.</numerusform>
<numerusform>المطلوب في الطلبيات {n}.</numerusform>
<numerusform>المطلوب في الطلبيات {n}.</numerusform>
<numerusform>المطلوب في الطلبيات {n}.</numerusform>
<numerusform>المطلوب في الطلبيات {n}.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} open</source>
<translation>
<numerusform>مفتوحة: {n}</numerusform>
<numerusform>مفتوحة: {n}</numerusform>
<numerusform>مفتوحة: {n}</numerusform>
<numerusform>مفتوحة: {n}</numerusform>
<numerusform>مفتوحة: {n}</numerusform>
<numerusform>مفتوحة: {n}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} open orders</source>
<translation>
<numerusform>لا طلبيات مفتوحة</numerusform>
<numerusform>طلبية مفتوحة واحدة</numerusform>
<numerusform>طلبيتان مفتوحتان</numerusform>
<numerusform>{n} طلبيات مفتوحة</numerusform>
<numerusform>{n} طلبية مفتوحة</numerusform>
<numerusform>{n} طلبية مفتوحة</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} open orders have no date.</source>
<translation>
<numerusform>لا طلبيات مفتوحة بلا تاريخ.</numerusform>
<numerusform>طلبية مفتوحة واحدة بلا تاريخ.</numerusform>
<numerusform>طلبيتان مفتوحتان بلا تاريخ.</numerusform>
<numerusform>{n} طلبيات مفتوحة بلا تاريخ.</numerusform>
<numerusform>{n} طلبية مفتوحة بلا تاريخ.</numerusform>
<numerusform>{n} طلبية مفتوحة بلا تاريخ.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} orders</source>
<translation>
<numerusform>لا طلبيات</numerusform>
<numerusform>طلبية واحدة</numerusform>
<numerusform>طلبيتان</numerusform>
<numerusform>{n} طلبيات</numerusform>
<numerusform>{n} طلبية</numerusform>
<numerusform>{n} طلبية</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} orders are overdue</source>
<translation>
<numerusform>لا طلبيات متأخرة</numerusform>
<numerusform>طلبية متأخرة</numerusform>
<numerusform>طلبيتان متأخرتان</numerusform>
<numerusform>{n} طلبيات متأخرة</numerusform>
<numerusform>{n} طلبية متأخرة</numerusform>
<numerusform>{n} طلبية متأخرة</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} orders completed</source>
<translation>
<numerusform>لا طلبيات مكتملة</numerusform>
<numerusform>طلبية واحدة مكتملة</numerusform>
<numerusform>طلبيتان مكتملتان</numerusform>
<numerusform>{n} طلبيات مكتملة</numerusform>
<numerusform>{n} طلبية مكتملة</numerusform>
<numerusform>{n} طلبية مكتملة</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} orders placed</source>
<translation>
<numerusform>لا طلبيات منشأة</numerusform>
<numerusform>طلبية واحدة منشأة</numerusform>
<numerusform>طلبيتان منشأتان</numerusform>
<numerusform>{n} طلبيات منشأة</numerusform>
<numerusform>{n} طلبية منشأة</numerusform>
<numerusform>{n} طلبية منشأة</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} other categories</source>
<translation>
<numerusform>لا فئات أخرى</numerusform>
<numerusform>فئة أخرى</numerusform>
<numerusform>فئتان أخريان</numerusform>
<numerusform>{n} فئات أخرى</numerusform>
<numerusform>{n} فئة أخرى</numerusform>
<numerusform>{n} فئة أخرى</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} other changes</source>
<translation>
<numerusform>لا تغييرات أخرى</numerusform>
<numerusform>تغيير آخر</numerusform>
<numerusform>تغييران آخران</numerusform>
<numerusform>{n} تغييرات أخرى</numerusform>
<numerusform>{n} تغييرًا آخر</numerusform>
<numerusform>{n} تغيير آخر</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} other shops need attention</source>
<translation>
<numerusform>لا متجر آخر يتطلب الانتباه</numerusform>
<numerusform>متجر آخر يتطلب الانتباه</numerusform>
<numerusform>متجران آخران يتطلبان الانتباه</numerusform>
<numerusform>{n} متاجر أخرى تتطلب الانتباه</numerusform>
<numerusform>{n} متجرًا آخر تتطلب الانتباه</numerusform>
<numerusform>{n} متجر آخر تتطلب الانتباه</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} others</source>
<translation>
<numerusform>غيرها: {n}</numerusform>
<numerusform>غيرها: {n}</numerusform>
<numerusform>غيرها: {n}</numerusform>
<numerusform>غيرها: {n}</numerusform>
<numerusform>غيرها: {n}</numerusform>
<numerusform>غيرها: {n}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} others: {counted} of {total}</source>
<translation>
<numerusform>{n} أخرى: {counted} من {total}</numerusform>
<numerusform>{n} أخرى: {counted} من {total}</numerusform>
<numerusform>{n} أخريان: {counted} من {total}</numerusform>
<numerusform>{n} أخرى: {counted} من {total}</numerusform>
<numerusform>{n} أخرى: {counted} من {total}</numerusform>
<numerusform>{n} أخرى: {counted} من {total}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} overdue</source>
<translation>
<numerusform>متأخرة: {n}</numerusform>
<numerusform>متأخرة: {n}</numerusform>
<numerusform>متأخرة: {n}</numerusform>
<numerusform>متأخرة: {n}</numerusform>
<numerusform>متأخرة: {n}</numerusform>
<numerusform>متأخرة: {n}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} pages, {size}.</source>
<translation>
<numerusform>لا صفحات، {size}.</numerusform>
<numerusform>صفحة واحدة، {size}.</numerusform>
<numerusform>صفحتان، {size}.</numerusform>
<numerusform>{n} صفحات، {size}.</numerusform>
<numerusform>{n} صفحة، {size}.</numerusform>
<numerusform>{n} صفحة، {size}.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} pasted lines were left out. The first is: {line}</source>
<translation>
<numerusform>لم يُستبعد أي سطر ملصوق: {line}</numerusform>
<numerusform>استُبعد سطر ملصوق: {line}</numerusform>
<numerusform>استُبعد سطران ملصوقان. أولهما: {line}</numerusform>
<numerusform>استُبعدت {n} أسطر ملصوقة. أولها: {line}</numerusform>
<numerusform>استُبعد {n} سطرًا ملصوقًا. أولها: {line}</numerusform>
<numerusform>استُبعد {n} سطر ملصوق. أولها: {line}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} pets</source>
<translation>
<numerusform>لا حيوانات</numerusform>
<numerusform>حيوان واحد</numerusform>
<numerusform>حيوانان</numerusform>
<numerusform>{n} حيوانات</numerusform>
<numerusform>{n} حيوانًا</numerusform>
<numerusform>{n} حيوان</numerusform>
</translation>
</message>
<message>
<source>{n} pets are called {name}: enter the id.</source>
<translation>عدد الحيوانات التي اسمها {name} هو {n}: أدخل المعرّف.</translation>
</message>
<message numerus="yes">
<source>{n} pets are low</source>
<translation>
<numerusform>لا حيوانات منخفضة المخزون</numerusform>
<numerusform>حيوان منخفض المخزون</numerusform>
<numerusform>حيوانان منخفضا المخزون</numerusform>
<numerusform>{n} حيوانات منخفضة المخزون</numerusform>
<numerusform>{n} حيوانًا منخفض المخزون</numerusform>
<numerusform>{n} حيوان منخفض المخزون</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} pets are not counted.</source>
<translation>
<numerusform>كل الحيوانات معدودة.</numerusform>
<numerusform>حيوان واحد لم يُعدّ.</numerusform>
<numerusform>حيوانان لم يُعدّا.</numerusform>
<numerusform>{n} حيوانات لم تُعدّ.</numerusform>
<numerusform>{n} حيوانًا لم تُعدّ.</numerusform>
<numerusform>{n} حيوان لم تُعدّ.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} pets have no id yet, so their labels have no code. Print them once the pets are sent.</source>
<translation>
<numerusform>كل الحيوانات لها معرّف.</numerusform>
<numerusform>حيوان واحد ليس له معرّف بعد، لذا لا رمز على ملصقه. اطبعه بعد إرسال الحيوان.</numerusform>
<numerusform>حيوانان ليس لهما معرّف بعد، لذا لا رمز على ملصقيهما. اطبعهما بعد إرسال الحيوانين.</numerusform>
<numerusform>{n} حيوانات ليس لها معرّف بعد، لذا لا رمز على ملصقاتها. اطبعها بعد إرسال الحيوانات.</numerusform>
<numerusform>{n} حيوانًا ليس لها معرّف بعد، لذا لا رمز على ملصقاتها. اطبعها بعد إرسال الحيوانات.</numerusform>
<numerusform>{n} حيوان ليس لها معرّف بعد، لذا لا رمز على ملصقاتها. اطبعها بعد إرسال الحيوانات.</numerusform>
</translation>
</message>
<message>
<source>{n} pets have the code {code}</source>
<translation>عدد الحيوانات التي لها الرمز {code}: {n}</translation>
</message>
<message numerus="yes">
<source>{n} pets sold</source>
<translation>
<numerusform>لا حيوانات مباعة</numerusform>
<numerusform>حيوان واحد مباع</numerusform>
<numerusform>حيوانان مباعان</numerusform>
<numerusform>{n} حيوانات مباعة</numerusform>
<numerusform>{n} حيوانًا مباعًا</numerusform>
<numerusform>{n} حيوان مباع</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} pieces</source>
<translation>
<numerusform>{n} وحدة</numerusform>
<numerusform>وحدة واحدة</numerusform>
<numerusform>وحدتان</numerusform>
<numerusform>{n} وحدات</numerusform>
<numerusform>{n} وحدة</numerusform>
<numerusform>{n} وحدة</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} problems found.</source>
<translation>
<numerusform>لا مشكلات.</numerusform>
<numerusform>عُثر على مشكلة واحدة.</numerusform>
<numerusform>عُثر على مشكلتين.</numerusform>
<numerusform>عُثر على {n} مشكلات.</numerusform>
<numerusform>عُثر على {n} مشكلة.</numerusform>
<numerusform>عُثر على {n} مشكلة.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} records are set aside and not counted.</source>
<translation>
<numerusform>لا سجلات منحّاة.</numerusform>
<numerusform>سجل واحد منحّى ولا يُحتسب.</numerusform>
<numerusform>سجلان منحّيان ولا يُحتسبان.</numerusform>
<numerusform>{n} سجلات منحّاة ولا تُحتسب.</numerusform>
<numerusform>{n} سجلًا منحّى ولا يُحتسب.</numerusform>
<numerusform>{n} سجل منحّى ولا يُحتسب.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} records have a slash in their ids: they are shown, and cannot be changed here.</source>
<translation>
<numerusform>لا سجلات في معرّفاتها شرطة مائلة.</numerusform>
<numerusform>سجل واحد في معرّفه شرطة مائلة: يظهر، ولا يمكن تغييره هنا.</numerusform>
<numerusform>سجلان في معرّفيهما شرطة مائلة: يظهران، ولا يمكن تغييرهما هنا.</numerusform>
<numerusform>{n} سجلات في معرّفاتها شرطة مائلة: تظهر، ولا يمكن تغييرها هنا.</numerusform>
<numerusform>{n} سجلًا في معرّفاتها شرطة مائلة: تظهر، ولا يمكن تغييرها هنا.</numerusform>
<numerusform>{n} سجل في معرّفاتها شرطة مائلة: تظهر، ولا يمكن تغييرها هنا.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} records may be gone</source>
<translation>
<numerusform>ربما لم يُحذف أي سجل</numerusform>
<numerusform>ربما حُذف سجل واحد</numerusform>
<numerusform>ربما حُذف سجلان</numerusform>
<numerusform>ربما حُذفت {n} سجلات</numerusform>
<numerusform>ربما حُذف {n} سجلًا</numerusform>
<numerusform>ربما حُذف {n} سجل</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} records set aside</source>
<translation>
<numerusform>لا سجلات منحّاة</numerusform>
<numerusform>سجل واحد منحّى</numerusform>
<numerusform>سجلان منحّيان</numerusform>
<numerusform>{n} سجلات منحّاة</numerusform>
<numerusform>{n} سجلًا منحّى</numerusform>
<numerusform>{n} سجل منحّى</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} refused</source>
<translation>
<numerusform>مرفوض: {n}</numerusform>
<numerusform>مرفوض: {n}</numerusform>
<numerusform>مرفوض: {n}</numerusform>
<numerusform>مرفوض: {n}</numerusform>
<numerusform>مرفوض: {n}</numerusform>
<numerusform>مرفوض: {n}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} remarks on the document</source>
<translation>
<numerusform>لا ملاحظات على المستند</numerusform>
<numerusform>ملاحظة واحدة على المستند</numerusform>
<numerusform>ملاحظتان على المستند</numerusform>
<numerusform>{n} ملاحظات على المستند</numerusform>
<numerusform>{n} ملاحظة على المستند</numerusform>
<numerusform>{n} ملاحظة على المستند</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} requests</source>
<translation>
<numerusform>لا طلبات</numerusform>
<numerusform>طلب واحد</numerusform>
<numerusform>طلبان</numerusform>
<numerusform>{n} طلبات</numerusform>
<numerusform>{n} طلبًا</numerusform>
<numerusform>{n} طلب</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} requests a day</source>
<translation>
<numerusform>لا طلبات في اليوم</numerusform>
<numerusform>طلب واحد في اليوم</numerusform>
<numerusform>طلبان في اليوم</numerusform>
<numerusform>{n} طلبات في اليوم</numerusform>
<numerusform>{n} طلبًا في اليوم</numerusform>
<numerusform>{n} طلب في اليوم</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} requests a minute</source>
<translation>
<numerusform>لا طلبات في الدقيقة</numerusform>
<numerusform>طلب واحد في الدقيقة</numerusform>
<numerusform>طلبان في الدقيقة</numerusform>
<numerusform>{n} طلبات في الدقيقة</numerusform>
<numerusform>{n} طلبًا في الدقيقة</numerusform>
<numerusform>{n} طلب في الدقيقة</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} requests a minute, {day} a day</source>
<translation>
<numerusform>لا طلبات في الدقيقة، و{day} في اليوم</numerusform>
<numerusform>طلب واحد في الدقيقة، و{day} في اليوم</numerusform>
<numerusform>طلبان في الدقيقة، و{day} في اليوم</numerusform>
<numerusform>{n} طلبات في الدقيقة، و{day} في اليوم</numerusform>
<numerusform>{n} طلبًا في الدقيقة، و{day} في اليوم</numerusform>
<numerusform>{n} طلب في الدقيقة، و{day} في اليوم</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} requests are left of this minute’s.</source>
<translation>
<numerusform>لم يبق شيء من طلبات هذه الدقيقة.</numerusform>
<numerusform>بقي طلب واحد من طلبات هذه الدقيقة.</numerusform>
<numerusform>بقي طلبان من طلبات هذه الدقيقة.</numerusform>
<numerusform>بقيت {n} طلبات من طلبات هذه الدقيقة.</numerusform>
<numerusform>بقي {n} طلبًا من طلبات هذه الدقيقة.</numerusform>
<numerusform>بقي {n} طلب من طلبات هذه الدقيقة.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} requests are left of today’s.</source>
<translation>
<numerusform>لم يبق شيء من طلبات اليوم.</numerusform>
<numerusform>بقي طلب واحد من طلبات اليوم.</numerusform>
<numerusform>بقي طلبان من طلبات اليوم.</numerusform>
<numerusform>بقيت {n} طلبات من طلبات اليوم.</numerusform>
<numerusform>بقي {n} طلبًا من طلبات اليوم.</numerusform>
<numerusform>بقي {n} طلب من طلبات اليوم.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} requests are on the clipboard, without the key</source>
<translation>
<numerusform>لم يُنسخ أي طلب إلى الحافظة</numerusform>
<numerusform>نُسخ طلب واحد إلى الحافظة، من دون المفتاح</numerusform>
<numerusform>نُسخ طلبان إلى الحافظة، من دون المفتاح</numerusform>
<numerusform>نُسخت {n} طلبات إلى الحافظة، من دون المفتاح</numerusform>
<numerusform>نُسخ {n} طلبًا إلى الحافظة، من دون المفتاح</numerusform>
<numerusform>نُسخ {n} طلب إلى الحافظة، من دون المفتاح</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} requests.</source>
<translation>
<numerusform>لا طلبات.</numerusform>
<numerusform>طلب واحد.</numerusform>
<numerusform>طلبان.</numerusform>
<numerusform>{n} طلبات.</numerusform>
<numerusform>{n} طلبًا.</numerusform>
<numerusform>{n} طلب.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows are in {file}</source>
<translation>
<numerusform>لا صفوف في {file}</numerusform>
<numerusform>صف واحد في {file}</numerusform>
<numerusform>صفان في {file}</numerusform>
<numerusform>{n} صفوف في {file}</numerusform>
<numerusform>{n} صفًا في {file}</numerusform>
<numerusform>{n} صف في {file}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows are read.</source>
<translation>
<numerusform>لم تُقرأ أي صفوف.</numerusform>
<numerusform>قُرئ صف واحد.</numerusform>
<numerusform>قُرئ صفان.</numerusform>
<numerusform>قُرئت {n} صفوف.</numerusform>
<numerusform>قُرئ {n} صفًا.</numerusform>
<numerusform>قُرئ {n} صف.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows are the same only by changes that the service has not taken</source>
<translation>
<numerusform>لا صفوف متطابقة بسبب تغييرات لم تأخذ بها الخدمة</numerusform>
<numerusform>صف واحد متطابق فقط بسبب تغييرات لم تأخذ بها الخدمة</numerusform>
<numerusform>صفان متطابقان فقط بسبب تغييرات لم تأخذ بها الخدمة</numerusform>
<numerusform>{n} صفوف متطابقة فقط بسبب تغييرات لم تأخذ بها الخدمة</numerusform>
<numerusform>{n} صفًا متطابقًا فقط بسبب تغييرات لم تأخذ بها الخدمة</numerusform>
<numerusform>{n} صف متطابق فقط بسبب تغييرات لم تأخذ بها الخدمة</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows beyond the end are left out.</source>
<translation>
<numerusform>لم يُستبعد أي صف بعد النهاية.</numerusform>
<numerusform>استُبعد صف واحد بعد النهاية.</numerusform>
<numerusform>استُبعد صفان بعد النهاية.</numerusform>
<numerusform>استُبعدت {n} صفوف بعد النهاية.</numerusform>
<numerusform>استُبعد {n} صفًا بعد النهاية.</numerusform>
<numerusform>استُبعد {n} صف بعد النهاية.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows copied</source>
<translation>
<numerusform>لم يُنسخ أي صف</numerusform>
<numerusform>نُسخ صف واحد</numerusform>
<numerusform>نُسخ صفان</numerusform>
<numerusform>نُسخت {n} صفوف</numerusform>
<numerusform>نُسخ {n} صفًا</numerusform>
<numerusform>نُسخ {n} صف</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows copied with Id, Name and To order.</source>
<translation>
<numerusform>لم يُنسخ أي صف.</numerusform>
<numerusform>نُسخ صف واحد بالمعرّف والاسم وكمية الطلب.</numerusform>
<numerusform>نُسخ صفان بالمعرّف والاسم وكمية الطلب.</numerusform>
<numerusform>نُسخت {n} صفوف بالمعرّف والاسم وكمية الطلب.</numerusform>
<numerusform>نُسخ {n} صفًا بالمعرّف والاسم وكمية الطلب.</numerusform>
<numerusform>نُسخ {n} صف بالمعرّف والاسم وكمية الطلب.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows hold changes that are not sent yet.</source>
<translation>
<numerusform>لا صفوف فيها تغييرات لم تُرسل بعد.</numerusform>
<numerusform>صف واحد فيه تغيير لم يُرسل بعد.</numerusform>
<numerusform>صفان فيهما تغييرات لم تُرسل بعد.</numerusform>
<numerusform>{n} صفوف فيها تغييرات لم تُرسل بعد.</numerusform>
<numerusform>{n} صفًا فيها تغييرات لم تُرسل بعد.</numerusform>
<numerusform>{n} صف فيها تغييرات لم تُرسل بعد.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows were imported before, and are not added again.</source>
<translation>
<numerusform>لم يسبق استيراد أي صف.</numerusform>
<numerusform>سبق استيراد صف واحد، ولا يُضاف من جديد.</numerusform>
<numerusform>سبق استيراد صفين، ولا يُضافان من جديد.</numerusform>
<numerusform>سبق استيراد {n} صفوف، ولا تُضاف من جديد.</numerusform>
<numerusform>سبق استيراد {n} صفًا، ولا تُضاف من جديد.</numerusform>
<numerusform>سبق استيراد {n} صف، ولا تُضاف من جديد.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows were imported before, and are not made again without --again</source>
<translation>
<numerusform>لم يسبق استيراد أي صف</numerusform>
<numerusform>سبق استيراد صف واحد، ولا يُضاف من جديد دون ‎--again</numerusform>
<numerusform>سبق استيراد صفين، ولا يُضافان من جديد دون ‎--again</numerusform>
<numerusform>سبق استيراد {n} صفوف، ولا تُضاف من جديد دون ‎--again</numerusform>
<numerusform>سبق استيراد {n} صفًا، ولا تُضاف من جديد دون ‎--again</numerusform>
<numerusform>سبق استيراد {n} صف، ولا تُضاف من جديد دون ‎--again</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows were imported before, and make new records.</source>
<translation>
<numerusform>لم يسبق استيراد أي صف.</numerusform>
<numerusform>سبق استيراد صف واحد، ويُنشئ سجلًا جديدًا.</numerusform>
<numerusform>سبق استيراد صفين، ويُنشئان سجلين جديدين.</numerusform>
<numerusform>سبق استيراد {n} صفوف، وتُنشئ سجلات جديدة.</numerusform>
<numerusform>سبق استيراد {n} صفًا، وتُنشئ سجلات جديدة.</numerusform>
<numerusform>سبق استيراد {n} صف، وتُنشئ سجلات جديدة.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} saved views cannot be used by this version; they are kept</source>
<translation>
<numerusform>كل طرق العرض صالحة</numerusform>
<numerusform>طريقة عرض محفوظة لا يمكن استخدامها في هذا الإصدار؛ وهي باقية</numerusform>
<numerusform>طريقتا عرض محفوظتان لا يمكن استخدامهما في هذا الإصدار؛ وهما باقيتان</numerusform>
<numerusform>{n} طرق عرض محفوظة لا يمكن استخدامها في هذا الإصدار؛ وهي باقية</numerusform>
<numerusform>{n} طريقة عرض محفوظة لا يمكن استخدامها في هذا الإصدار؛ وهي باقية</numerusform>
<numerusform>{n} طريقة عرض محفوظة لا يمكن استخدامها في هذا الإصدار؛ وهي باقية</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} scans</source>
<translation>
<numerusform>بالمسح: {n}</numerusform>
<numerusform>بالمسح: {n}</numerusform>
<numerusform>بالمسح: {n}</numerusform>
<numerusform>بالمسح: {n}</numerusform>
<numerusform>بالمسح: {n}</numerusform>
<numerusform>بالمسح: {n}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} sent</source>
<translation>
<numerusform>أُرسل: {n}</numerusform>
<numerusform>أُرسل: {n}</numerusform>
<numerusform>أُرسل: {n}</numerusform>
<numerusform>أُرسل: {n}</numerusform>
<numerusform>أُرسل: {n}</numerusform>
<numerusform>أُرسل: {n}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} sheets</source>
<comment>of labels</comment>
<translation>
<numerusform>لا أوراق</numerusform>
<numerusform>ورقة واحدة</numerusform>
<numerusform>ورقتان</numerusform>
<numerusform>{n} أوراق</numerusform>
<numerusform>{n} ورقة</numerusform>
<numerusform>{n} ورقة</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} so far</source>
<translation>
<numerusform>حتى الآن: {n}</numerusform>
<numerusform>حتى الآن: {n}</numerusform>
<numerusform>حتى الآن: {n}</numerusform>
<numerusform>حتى الآن: {n}</numerusform>
<numerusform>حتى الآن: {n}</numerusform>
<numerusform>حتى الآن: {n}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} stock entries</source>
<translation>
<numerusform>لا قيود مخزون</numerusform>
<numerusform>قيد مخزون واحد</numerusform>
<numerusform>قيدا مخزون</numerusform>
<numerusform>{n} قيود مخزون</numerusform>
<numerusform>{n} قيد مخزون</numerusform>
<numerusform>{n} قيد مخزون</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} to come</source>
<translation>
<numerusform>القادمة: {n}</numerusform>
<numerusform>القادمة: {n}</numerusform>
<numerusform>القادمة: {n}</numerusform>
<numerusform>القادمة: {n}</numerusform>
<numerusform>القادمة: {n}</numerusform>
<numerusform>القادمة: {n}</numerusform>
</translation>
</message>
<message>
<source>{n} to go</source>
<translation>المتبقي {n}</translation>
</message>
<message numerus="yes">
<source>{n} today</source>
<translation>
<numerusform>اليوم: {n}</numerusform>
<numerusform>اليوم: {n}</numerusform>
<numerusform>اليوم: {n}</numerusform>
<numerusform>اليوم: {n}</numerusform>
<numerusform>اليوم: {n}</numerusform>
<numerusform>اليوم: {n}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} unconfirmed</source>
<translation>
<numerusform>غير مؤكد: {n}</numerusform>
<numerusform>غير مؤكد: {n}</numerusform>
<numerusform>غير مؤكد: {n}</numerusform>
<numerusform>غير مؤكد: {n}</numerusform>
<numerusform>غير مؤكد: {n}</numerusform>
<numerusform>غير مؤكد: {n}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} undone</source>
<translation>
<numerusform>تم التراجع عنه: {n}</numerusform>
<numerusform>تم التراجع عنه: {n}</numerusform>
<numerusform>تم التراجع عنه: {n}</numerusform>
<numerusform>تم التراجع عنه: {n}</numerusform>
<numerusform>تم التراجع عنه: {n}</numerusform>
<numerusform>تم التراجع عنه: {n}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} unknown codes.</source>
<translation>
<numerusform>الرموز غير المعروفة: {n}.</numerusform>
<numerusform>الرموز غير المعروفة: {n}.</numerusform>
<numerusform>الرموز غير المعروفة: {n}.</numerusform>
<numerusform>الرموز غير المعروفة: {n}.</numerusform>
<numerusform>الرموز غير المعروفة: {n}.</numerusform>
<numerusform>الرموز غير المعروفة: {n}.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} unsent</source>
<translation>
<numerusform>غير مرسل: {n}</numerusform>
<numerusform>غير مرسل: {n}</numerusform>
<numerusform>غير مرسل: {n}</numerusform>
<numerusform>غير مرسل: {n}</numerusform>
<numerusform>غير مرسل: {n}</numerusform>
<numerusform>غير مرسل: {n}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} unsent changes are left out: the copy shows what the service last said.</source>
<translation>
<numerusform>لا تغييرات مستبعدة: تُظهر النسخة آخر ما ذكرته الخدمة.</numerusform>
<numerusform>استُبعد تغيير واحد غير مرسل: تُظهر النسخة آخر ما ذكرته الخدمة.</numerusform>
<numerusform>استُبعد تغييران غير مرسلين: تُظهر النسخة آخر ما ذكرته الخدمة.</numerusform>
<numerusform>استُبعدت {n} تغييرات غير مرسلة: تُظهر النسخة آخر ما ذكرته الخدمة.</numerusform>
<numerusform>استُبعد {n} تغييرًا غير مرسل: تُظهر النسخة آخر ما ذكرته الخدمة.</numerusform>
<numerusform>استُبعد {n} تغيير غير مرسل: تُظهر النسخة آخر ما ذكرته الخدمة.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} unsent elsewhere</source>
<translation>
<numerusform>غير مرسل في متاجر أخرى: {n}</numerusform>
<numerusform>غير مرسل في متاجر أخرى: {n}</numerusform>
<numerusform>غير مرسل في متاجر أخرى: {n}</numerusform>
<numerusform>غير مرسل في متاجر أخرى: {n}</numerusform>
<numerusform>غير مرسل في متاجر أخرى: {n}</numerusform>
<numerusform>غير مرسل في متاجر أخرى: {n}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} values are others now than you saw: they are left out.</source>
<translation>
<numerusform>لا قيم تغيّرت.</numerusform>
<numerusform>قيمة واحدة تختلف الآن عما رأيت: استُبعدت.</numerusform>
<numerusform>قيمتان تختلفان الآن عما رأيت: استُبعدتا.</numerusform>
<numerusform>{n} قيم تختلف الآن عما رأيت: استُبعدت.</numerusform>
<numerusform>{n} قيمة تختلف الآن عما رأيت: استُبعدت.</numerusform>
<numerusform>{n} قيمة تختلف الآن عما رأيت: استُبعدت.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} views added</source>
<translation>
<numerusform>لم تُضف طرق عرض</numerusform>
<numerusform>أُضيفت طريقة عرض واحدة</numerusform>
<numerusform>أُضيفت طريقتا عرض</numerusform>
<numerusform>أُضيفت {n} طرق عرض</numerusform>
<numerusform>أُضيفت {n} طريقة عرض</numerusform>
<numerusform>أُضيفت {n} طريقة عرض</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} views written to {file}</source>
<translation>
<numerusform>لم تُكتب طرق عرض في {file}</numerusform>
<numerusform>كُتبت طريقة عرض واحدة في {file}</numerusform>
<numerusform>كُتبت طريقتا عرض في {file}</numerusform>
<numerusform>كُتبت {n} طرق عرض في {file}</numerusform>
<numerusform>كُتبت {n} طريقة عرض في {file}</numerusform>
<numerusform>كُتبت {n} طريقة عرض في {file}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} wait for earlier changes that need your decision</source>
<translation>
<numerusform>لا شيء ينتظر قرارك</numerusform>
<numerusform>تغيير واحد ينتظر تغييرًا سابقًا يتطلب قرارك</numerusform>
<numerusform>تغييران ينتظران تغييرات سابقة تتطلب قرارك</numerusform>
<numerusform>{n} تغييرات تنتظر تغييرات سابقة تتطلب قرارك</numerusform>
<numerusform>{n} تغييرًا ينتظر تغييرات سابقة تتطلب قرارك</numerusform>
<numerusform>{n} تغيير ينتظر تغييرات سابقة تتطلب قرارك</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} waiting</source>
<translation>
<numerusform>في الانتظار: {n}</numerusform>
<numerusform>في الانتظار: {n}</numerusform>
<numerusform>في الانتظار: {n}</numerusform>
<numerusform>في الانتظار: {n}</numerusform>
<numerusform>في الانتظار: {n}</numerusform>
<numerusform>في الانتظار: {n}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} ways to use this service end soon, first: {what}, on {day}, {left}</source>
<translation>
<numerusform>تنتهي قريبًا إحدى عمليات هذه الخدمة: {what}، في {day}، {left}</numerusform>
<numerusform>تنتهي قريبًا إحدى عمليات هذه الخدمة: {what}، في {day}، {left}</numerusform>
<numerusform>تنتهي قريبًا عمليتان من عمليات هذه الخدمة، أولاهما: {what}، في {day}، {left}</numerusform>
<numerusform>تنتهي قريبًا {n} من عمليات هذه الخدمة، أولاها: {what}، في {day}، {left}</numerusform>
<numerusform>تنتهي قريبًا {n} من عمليات هذه الخدمة، أولاها: {what}، في {day}، {left}</numerusform>
<numerusform>تنتهي قريبًا {n} من عمليات هذه الخدمة، أولاها: {what}، في {day}، {left}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} wrong rows copied</source>
<translation>
<numerusform>لم يُنسخ أي صف خاطئ</numerusform>
<numerusform>نُسخ صف خاطئ</numerusform>
<numerusform>نُسخ صفان خاطئان</numerusform>
<numerusform>نُسخت {n} صفوف خاطئة</numerusform>
<numerusform>نُسخ {n} صفًا خاطئًا</numerusform>
<numerusform>نُسخ {n} صف خاطئ</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} {pet}, to ship on {day}.</source>
<translation>
<numerusform>{n} من {pet}، موعد الشحن {day}.</numerusform>
<numerusform>{n} من {pet}، موعد الشحن {day}.</numerusform>
<numerusform>{n} من {pet}، موعد الشحن {day}.</numerusform>
<numerusform>{n} من {pet}، موعد الشحن {day}.</numerusform>
<numerusform>{n} من {pet}، موعد الشحن {day}.</numerusform>
<numerusform>{n} من {pet}، موعد الشحن {day}.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} {pet}, to ship today.</source>
<translation>
<numerusform>{n} من {pet}، موعد الشحن اليوم.</numerusform>
<numerusform>{n} من {pet}، موعد الشحن اليوم.</numerusform>
<numerusform>{n} من {pet}، موعد الشحن اليوم.</numerusform>
<numerusform>{n} من {pet}، موعد الشحن اليوم.</numerusform>
<numerusform>{n} من {pet}، موعد الشحن اليوم.</numerusform>
<numerusform>{n} من {pet}، موعد الشحن اليوم.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} {pet}, without a ship date.</source>
<translation>
<numerusform>{n} من {pet}، بلا تاريخ شحن.</numerusform>
<numerusform>{n} من {pet}، بلا تاريخ شحن.</numerusform>
<numerusform>{n} من {pet}، بلا تاريخ شحن.</numerusform>
<numerusform>{n} من {pet}، بلا تاريخ شحن.</numerusform>
<numerusform>{n} من {pet}، بلا تاريخ شحن.</numerusform>
<numerusform>{n} من {pet}، بلا تاريخ شحن.</numerusform>
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
<translation>{old} يصبح {new}</translation>
</message>
<message>
<source>{page}: manual of Pet Store Desktop</source>
<translation>{page}: دليل Pet Store Desktop</translation>
</message>
<message>
<source>{paper}, {columns} × {rows}, {width} × {height} mm</source>
<translation>{paper}، {columns} × {rows}، {width} × {height} مم</translation>
</message>
<message>
<source>{parts}.</source>
<comment>a sentence from parts with commas between them</comment>
<translation>{parts}.</translation>
</message>
<message>
<source>{path} (of the service at {address})</source>
<translation>{path} (للخدمة في {address})</translation>
</message>
<message>
<source>{path} cannot be opened or made; see that the folder is there and that you may read and write in it, or choose another one with --data-dir</source>
<translation>لا يمكن فتح {path} أو إنشاؤه؛ تأكد من وجود المجلد ومن إمكان القراءة والكتابة فيه، أو اختر مجلدًا آخر بالخيار --data-dir</translation>
</message>
<message>
<source>{path} holds no certificate; nothing was changed. Give the certificates of an authority in PEM form, with BEGIN CERTIFICATE in it</source>
<translation>لا يحتوي {path} على شهادة؛ لم يتغير شيء. حدّد ملفًا فيه شهادات جهة إصدار بصيغة PEM يتضمن BEGIN CERTIFICATE</translation>
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
<numerusform>{pieces}</numerusform>
<numerusform>{pieces} في سطر واحد</numerusform>
<numerusform>{pieces} في سطرين</numerusform>
<numerusform>{pieces} في {n} أسطر</numerusform>
<numerusform>{pieces} في {n} سطرًا</numerusform>
<numerusform>{pieces} في {n} سطر</numerusform>
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
<translation>{reason} لم يُحفظ. صحّحه في خليته، أو اضغط Esc لتجاهله.</translation>
</message>
<message numerus="yes">
<source>{records} still name the old id</source>
<translation>
<numerusform>{records} بالمعرّف القديم</numerusform>
<numerusform>{records} بالمعرّف القديم ما زالت</numerusform>
<numerusform>{records} بالمعرّف القديم ما زالتا</numerusform>
<numerusform>{records} ما زالت بالمعرّف القديم</numerusform>
<numerusform>{records} ما زالت بالمعرّف القديم</numerusform>
<numerusform>{records} ما زالت بالمعرّف القديم</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{record} and {n} more changes</source>
<translation>
<numerusform>{record} و{n} من التغييرات الأخرى</numerusform>
<numerusform>{record} وتغيير آخر</numerusform>
<numerusform>{record} وتغييران آخران</numerusform>
<numerusform>{record} و{n} تغييرات أخرى</numerusform>
<numerusform>{record} و{n} تغييرًا آخر</numerusform>
<numerusform>{record} و{n} تغيير آخر</numerusform>
</translation>
</message>
<message>
<source>{record} has changed at the service; the new values are shown</source>
<translation>{record}: حدث تغيير لدى الخدمة؛ وتظهر القيم الجديدة</translation>
</message>
<message>
<source>{record} is no longer there</source>
<translation>{record}: السجل لم يعد موجودًا</translation>
</message>
<message>
<source>{record} is unchanged, live at {time}</source>
<translation>{record}: لا تغيير، مباشر في {time}</translation>
</message>
<message>
<source>{record} was changed elsewhere; nothing was overwritten</source>
<translation>{record}: جرى تغيير في مكان آخر؛ ولم يُستبدل أي شيء</translation>
</message>
<message>
<source>{record} was deleted here ({time})</source>
<translation>{record}: حُذف من هنا ({time})</translation>
</message>
<message>
<source>{record} was removed elsewhere (noticed {time})</source>
<translation>{record}: أُزيل خارجيًا (لوحظ {time})</translation>
</message>
<message>
<source>{record}, {value}, {who}, {when}</source>
<translation>{record}، {value}، {who}، {when}</translation>
</message>
<message>
<source>{record}: cannot be ticked</source>
<translation>{record}: لا يمكن تحديده</translation>
</message>
<message>
<source>{record}: left out</source>
<translation>{record}: مستبعد</translation>
</message>
<message>
<source>{record}: the list of the service shows only a part of all, and not this one</source>
<translation>{record}: لا تعرض قائمة الخدمة إلا جزءًا من الكل، وهذا ليس فيه</translation>
</message>
<message>
<source>{record}: ticked</source>
<translation>{record}: محدد</translation>
</message>
<message>
<source>{record}: whether it was done is not known</source>
<translation>{record}: لا يُعرف هل تم ذلك</translation>
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
<translation>{requests}، حتى {time}</translation>
</message>
<message>
<source>{rows} are in {file}</source>
<translation>{rows} في الملف {file}</translation>
</message>
<message>
<source>{rows}, looked up one by one</source>
<translation>{rows}، عُثر عليها واحدًا واحدًا</translation>
</message>
<message>
<source>{rows}, reading: {progress}</source>
<translation>{rows}، القراءة: {progress}</translation>
</message>
<message>
<source>{rows}, {age}</source>
<translation>{rows}، {age}</translation>
</message>
<message>
<source>{said}. {note}</source>
<translation>{said}. {note}</translation>
</message>
<message>
<source>{said}; the service names {other} instead.</source>
<translation>{said}؛ وتذكر الخدمة {other} بدلًا منها.</translation>
</message>
<message>
<source>{said}; then {other} is used instead.</source>
<translation>{said}؛ وبعد ذلك تُستخدم {other} بدلًا منها.</translation>
</message>
<message>
<source>{said}; {other} is used instead.</source>
<translation>{said}؛ وتُستخدم {other} بدلًا منها.</translation>
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
<translation>أُرسل {sent} من {n}</translation>
</message>
<message numerus="yes">
<source>{sent}, {n} refused for too many requests</source>
<translation>
<numerusform>{sent}، المرفوض لكثرة الطلبات: {n}</numerusform>
<numerusform>{sent}، المرفوض لكثرة الطلبات: {n}</numerusform>
<numerusform>{sent}، المرفوض لكثرة الطلبات: {n}</numerusform>
<numerusform>{sent}، المرفوض لكثرة الطلبات: {n}</numerusform>
<numerusform>{sent}، المرفوض لكثرة الطلبات: {n}</numerusform>
<numerusform>{sent}، المرفوض لكثرة الطلبات: {n}</numerusform>
</translation>
</message>
<message>
<source>{shop} changes other fields of it, but not this one (File &gt; Operations &gt; Fields shows which).</source>
<translation>يغيّر {shop} حقولًا أخرى منه، لا هذا الحقل (راجع ملف &gt; العمليات &gt; الحقول).</translation>
</message>
<message>
<source>{shop} counts its pets by status only</source>
<translation>لا يتوفر لدى {shop} إلا عدد الحيوانات حسب الحالة</translation>
</message>
<message>
<source>{shop} does not offer a list that is needed to tell.</source>
<translation>لا تتوفر لدى {shop} قائمة لازمة لمعرفة ذلك.</translation>
</message>
<message>
<source>{shop} does not offer this list</source>
<translation>هذه القائمة غير متاحة لدى {shop}</translation>
</message>
<message>
<source>{shop} does not offer this.</source>
<translation>هذا غير متاح لدى {shop}.</translation>
</message>
<message>
<source>{shop} does not tell a field that is needed to tell.</source>
<translation>لا يتوفر لدى {shop} حقل لازم لمعرفة ذلك.</translation>
</message>
<message>
<source>{shop} has no such status. Choose one of its own in the cell.</source>
<translation>لا توجد حالة كهذه لدى {shop}. اختر في الخلية إحدى الحالات المتوفرة.</translation>
</message>
<message>
<source>{shop} is forgotten</source>
<translation>تم نسيان {shop}</translation>
</message>
<message>
<source>{shop} needs attention</source>
<translation>{shop} يتطلب الانتباه</translation>
</message>
<message>
<source>{shop} no longer offers this.</source>
<translation>لم يعد هذا متاحًا لدى {shop}.</translation>
</message>
<message>
<source>{shop} — Pet Store Desktop</source>
<translation>{shop} — Pet Store Desktop</translation>
</message>
<message>
<source>{shop}, a change {waits}</source>
<translation>{shop}، تغيير {waits}</translation>
</message>
<message>
<source>{shop}, as of {time}</source>
<translation>{shop}، بيانات {time}</translation>
</message>
<message>
<source>{shop}, live</source>
<translation>{shop}، مباشر</translation>
</message>
<message>
<source>{shop}, never read</source>
<translation>{shop}، لم يُقرأ قط</translation>
</message>
<message>
<source>{shop}, no answer for {time}</source>
<translation>{shop}، لا إجابة منذ {time}</translation>
</message>
<message>
<source>{shop}, offline since {time}</source>
<translation>{shop}، دون اتصال منذ {time}</translation>
</message>
<message>
<source>{shop}, printed {time}</source>
<translation>{shop}، طُبع: {time}</translation>
</message>
<message>
<source>{shop}, {state}</source>
<translation>{shop}، {state}</translation>
</message>
<message>
<source>{shop}: a key is needed; unsent changes wait</source>
<translation>{shop}: يلزم مفتاح؛ والتغييرات غير المرسلة تنتظر</translation>
</message>
<message>
<source>{shop}: sending has stopped; unsent changes are kept</source>
<translation>{shop}: توقف الإرسال؛ والتغييرات غير المرسلة محفوظة</translation>
</message>
<message>
<source>{shop}: switch to another shop</source>
<translation>{shop}: التبديل إلى متجر آخر</translation>
</message>
<message>
<source>{shop}: the file of your changes was damaged</source>
<translation>{shop}: كان ملف تغييراتك تالفًا</translation>
</message>
<message>
<source>{shop}: the key is banned for a while; unsent changes wait</source>
<translation>{shop}: المفتاح محظور لمدة؛ والتغييرات غير المرسلة تنتظر</translation>
</message>
<message>
<source>{shop}: your last change could not be saved</source>
<translation>{shop}: تعذر حفظ آخر تغيير لك</translation>
</message>
<message>
<source>{shop}: {changes} unsent.</source>
<translation>{shop}: لم يُرسل بعد {changes}.</translation>
</message>
<message numerus="yes">
<source>{shop}: {n} changes need attention</source>
<translation>
<numerusform>{shop}: لا تغيير يتطلب الانتباه</numerusform>
<numerusform>{shop}: تغيير واحد يتطلب الانتباه</numerusform>
<numerusform>{shop}: تغييران يتطلبان الانتباه</numerusform>
<numerusform>{shop}: {n} تغييرات تتطلب الانتباه</numerusform>
<numerusform>{shop}: {n} تغييرًا تتطلب الانتباه</numerusform>
<numerusform>{shop}: {n} تغيير تتطلب الانتباه</numerusform>
</translation>
</message>
<message>
<source>{shown} of {all}</source>
<translation>{all}، منها {shown}</translation>
</message>
<message>
<source>{shown} of {total}</source>
<translation>{shown} من {total}</translation>
</message>
<message>
<source>{stays}. What you did before it can still be undone:</source>
<translation>{stays}. أما ما فعلته قبل ذلك فما زال يمكن التراجع عنه:</translation>
</message>
<message>
<source>{step}, {who}</source>
<translation>{step}، {who}</translation>
</message>
<message>
<source>{text} is not a value of this column.</source>
<translation>{text} ليس من قيم هذا العمود.</translation>
</message>
<message>
<source>{text} is not a whole number.</source>
<translation>{text} ليس عددًا صحيحًا.</translation>
</message>
<message>
<source>{text} is not {expected}.</source>
<translation>{text} ليس {expected}.</translation>
</message>
<message numerus="yes">
<source>{then} of {n} operations can be used with this choice. No longer:</source>
<translation>
<numerusform>العمليات التي يمكن استخدامها بهذا الاختيار: {then} من {n}. ولن يعود ممكنًا:</numerusform>
<numerusform>العمليات التي يمكن استخدامها بهذا الاختيار: {then} من {n}. ولن يعود ممكنًا:</numerusform>
<numerusform>العمليات التي يمكن استخدامها بهذا الاختيار: {then} من {n}. ولن يعود ممكنًا:</numerusform>
<numerusform>العمليات التي يمكن استخدامها بهذا الاختيار: {then} من {n}. ولن يعود ممكنًا:</numerusform>
<numerusform>العمليات التي يمكن استخدامها بهذا الاختيار: {then} من {n}. ولن يعود ممكنًا:</numerusform>
<numerusform>العمليات التي يمكن استخدامها بهذا الاختيار: {then} من {n}. ولن يعود ممكنًا:</numerusform>
</translation>
</message>
<message>
<source>{things} are matched by {how}. Empty cells change nothing.</source>
<translation>تُطابَق {things} بحسب {how}. والخلايا الفارغة لا تغيّر شيئًا.</translation>
</message>
<message>
<source>{things} could not be read</source>
<translation>تعذرت قراءة {things}</translation>
</message>
<message>
<source>{things} were searched; not all are here.</source>
<translation>شمل البحث: {things}؛ والقائمة ليست هنا كاملة.</translation>
</message>
<message>
<source>{time} (no time zone given)</source>
<translation>{time} (من دون منطقة زمنية)</translation>
</message>
<message>
<source>{time} tomorrow</source>
<translation>غدًا {time}</translation>
</message>
<message>
<source>{time}: {count} in stock</source>
<translation>{time}: في المخزون {count}</translation>
</message>
<message>
<source>{title}, {count}: {sum}</source>
<translation>{title}، {count}: {sum}</translation>
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
<translation>{typed} ليس قيمة لمعلمة؛ اكتبها بالصيغة NAME=VALUE</translation>
</message>
<message>
<source>{typed}, {scans}</source>
<translation>{typed}، {scans}</translation>
</message>
<message>
<source>{url} answers.</source>
<translation>وصل رد من {url}.</translation>
</message>
<message>
<source>{url} itself was not reached.</source>
<translation>تعذر الوصول إلى {url} نفسه.</translation>
</message>
<message>
<source>{used} of {limit}</source>
<translation>{used} من {limit}</translation>
</message>
<message>
<source>{value} is no day; give it as 2026-11-01</source>
<translation>{value} ليس يومًا؛ اكتبه هكذا: 2026-11-01</translation>
</message>
<message>
<source>{value} is no time; give 12h, 7d, 2w or 2026-11-20T08:00</source>
<translation>{value} ليس وقتًا؛ اكتب 12h أو 7d أو 2w أو 2026-11-20T08:00</translation>
</message>
<message>
<source>{value} is not a whole number; use digits only, such as 1000</source>
<translation>{value} ليس عددًا صحيحًا؛ استخدم الأرقام فقط، مثل 1000</translation>
</message>
<message>
<source>{value} is too large; at most {most}</source>
<translation>{value} كبير جدًا؛ {most} على الأكثر</translation>
</message>
<message>
<source>{value} would allow no request; leave the option out if it is not known</source>
<translation>{value} لا يسمح بأي طلب؛ احذف الخيار إن كانت القيمة مجهولة</translation>
</message>
<message>
<source>{value}, refused</source>
<translation>{value}، مرفوض</translation>
</message>
<message>
<source>{view} ({count})</source>
<translation>{view} ({count})</translation>
</message>
<message>
<source>{view} is in {file}</source>
<translation>{view} في الملف {file}</translation>
</message>
<message>
<source>{view}, changed</source>
<translation>{view}، معدّلة</translation>
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
<translation>{what} (انظر {program} --help)</translation>
</message>
<message>
<source>{what} ({source})</source>
<translation>{what} ({source})</translation>
</message>
<message>
<source>{what} Nothing was written.</source>
<translation>{what} لم يُكتب شيء.</translation>
</message>
<message>
<source>{what} The program chooses the id: this service does not.</source>
<translation>{what} يختار البرنامج المعرّف: فهذه الخدمة لا تختاره.</translation>
</message>
<message>
<source>{what} The program chooses the ids: this service does not.</source>
<translation>{what} يختار البرنامج المعرّفات: فهذه الخدمة لا تختارها.</translation>
</message>
<message>
<source>{what} ends on {day}, {left}</source>
<translation>{what}: تنتهي في {day}، {left}</translation>
</message>
<message>
<source>{what} ends on {day}, {left}; {other} is used instead</source>
<translation>{what}: تنتهي في {day}، {left}؛ وتُستخدم {other} بدلًا منها</translation>
</message>
<message>
<source>{what} is complete.</source>
<translation>{what} مكتملة.</translation>
</message>
<message>
<source>{what} is complete. Its ship date is {day}.</source>
<translation>{what} مكتملة. وتاريخ شحنها {day}.</translation>
</message>
<message>
<source>{what} is due on {day}. It is not fulfilled yet.</source>
<translation>{what} موعدها {day}. ولم تُنفَّذ بعد.</translation>
</message>
<message>
<source>{what} is due today. It is not fulfilled yet.</source>
<translation>{what} موعدها اليوم. ولم تُنفَّذ بعد.</translation>
</message>
<message>
<source>{what} is due tomorrow. It is not fulfilled yet.</source>
<translation>{what} موعدها غدًا. ولم تُنفَّذ بعد.</translation>
</message>
<message>
<source>{what} is known, but the service does not give its state.</source>
<translation>{what} معروفة، لكن الخدمة لا تذكر وضعها.</translation>
</message>
<message>
<source>{what} is not fulfilled yet. The service gives no ship date.</source>
<translation>{what} لم تُنفَّذ بعد. ولا تذكر الخدمة تاريخ الشحن.</translation>
</message>
<message>
<source>{what} is {said}, says the service.</source>
<translation>{what}: ‏{said}، بحسب الخدمة.</translation>
</message>
<message>
<source>{what} was due on {day}. It is not fulfilled yet and is {late}.</source>
<translation>{what} كان موعدها {day}. ولم تُنفَّذ بعد، وهي {late}.</translation>
</message>
<message>
<source>{what}, saved on this computer</source>
<translation>{what}، حُفظ على هذا الكمبيوتر</translation>
</message>
<message>
<source>{what}, sent</source>
<translation>{what}، أُرسل</translation>
</message>
<message>
<source>{what}, {pets}</source>
<translation>{what}، {pets}</translation>
</message>
<message>
<source>{what}, {pets}, begun {time}</source>
<translation>{what}، {pets}، بدأ: {time}</translation>
</message>
<message>
<source>{what}, {pets}, closed {time}</source>
<translation>{what}، {pets}، أُغلق: {time}</translation>
</message>
<message>
<source>{what}: from {before} to {after}</source>
<translation>{what}: من {before} إلى {after}</translation>
</message>
<message>
<source>{what}: {before}, then {after}</source>
<translation>{what}: {before}، ثم {after}</translation>
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
<translation>{why} وحتى ذلك الحين لا يُخفي عامل التصفية هذا شيئًا.</translation>
</message>
<message>
<source>{words} New: {news}</source>
<translation>{words} الجديد: {news}</translation>
</message>
<message>
<source>{words} {status}</source>
<comment>a status in words and its number</comment>
<translation>{words} {status}</translation>
</message>
<message>
<source>{words}, {time}</source>
<translation>{words}، {time}</translation>
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
<numerusform>−{n} وحدة</numerusform>
<numerusform>−{n} وحدة</numerusform>
<numerusform>−{n} وحدة</numerusform>
<numerusform>−{n} وحدات</numerusform>
<numerusform>−{n} وحدة</numerusform>
<numerusform>−{n} وحدة</numerusform>
</translation>
</message>
<message>
<source>≈ does not count others with the same key.</source>
<translation>≈ لا يشمل الآخرين ممن لديهم المفتاح نفسه.</translation>
</message>
<message numerus="yes">
<source>≈ {n} days left</source>
<translation>
<numerusform>يكفي أقل من يوم</numerusform>
<numerusform>يكفي ≈ يومًا</numerusform>
<numerusform>يكفي ≈ يومين</numerusform>
<numerusform>يكفي ≈ {n} أيام</numerusform>
<numerusform>يكفي ≈ {n} يومًا</numerusform>
<numerusform>يكفي ≈ {n} يوم</numerusform>
</translation>
</message>
</context>
</TS>
